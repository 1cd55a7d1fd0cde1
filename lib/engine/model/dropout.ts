// Dropout before the adapters: one mask for the modules that read the same input, fed from outside, so that a run can
// be repeated.
import { cast, type Tape, type Tensor } from '../graph/index.js';
import type { ModelConfig } from './config.js';
import { type Module, moduleShape } from './weight-names.js';

const READERS = {
  attention: ['q_proj', 'k_proj', 'v_proj'],
  output: ['o_proj'],
  feed: ['gate_proj', 'up_proj'],
  down: ['down_proj'],
} as const satisfies Record<string, readonly Module[]>;

/** An input of the graph: uint8 [tokens, in], 1 where the adapters see their input. */
export interface DropoutGroup {
  name: string;
  layer: number;
  modules: readonly Module[];
  shape: readonly [number, number];
  size: number;
}

export function dropoutInputs(
  config: ModelConfig,
  { modules }: { modules: readonly Module[] },
  { batch, sequence }: { batch: number; sequence: number },
): DropoutGroup[] {
  const tokens = batch * sequence;
  return Array.from({ length: config.layers }, (_, layer) =>
    Object.entries(READERS).flatMap(([group, readers]) => {
      const adapted = readers.filter(module => modules.includes(module));
      if (adapted.length === 0) return [];
      const [, width] = moduleShape(config, adapted[0]!);
      const name = `keep.${layer}.${group}`;
      return [{ name, layer, modules: adapted, shape: [tokens, width] as const, size: tokens * width }];
    }),
  ).flat();
}

/** What an adapter's input is multiplied by: 0 or 1. What is left of it then counts 1 / (1 - rate) times. */
export function keepFactors(
  { graph }: Tape,
  groups: readonly DropoutGroup[],
): (layer: number, module: Module) => Tensor | undefined {
  const factors = groups.map(({ name, shape, ...group }) => ({
    ...group,
    factor: cast(graph, graph.input(name, 'uint8', shape), 'float32'),
  }));
  return (layer, module) =>
    factors.find(entry => entry.layer === layer && entry.modules.includes(module))?.factor;
}
