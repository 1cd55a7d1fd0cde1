// The names, shapes and order of an adapter's matrices in the graphs, and the dropout on their inputs.
import { cast, type Tape, type Tensor } from '../graph/index.js';
import { GROUPS, listEnds, type Module, toModulePath } from '../weights/index.js';
import type { ModelConfig } from './config.js';
import { layerModules, moduleShape, modulesOf } from './weight-names.js';

export interface LoraShape {
  rank: number;
  scaling: number;
  /** The ends of their paths, as in PEFT's `target_modules`. A layer may lack some. */
  modules: readonly string[];
}

/** One matrix of an adapter: an input of the graphs. In training, `gradientOf(name)` is the matching output. */
export interface Parameter {
  name: string;
  layer: number;
  module: Module;
  side: 'a' | 'b';
  /** [rank, in] or [rank, out] */
  shape: readonly [number, number];
}

export const adapterName = (layer: number, module: Module, side: 'a' | 'b') =>
  `lora.${layer}.${module}.${side}`;

/** The modules of a layer that have these names, in their order. */
function findModules(config: ModelConfig, layer: number, names: readonly string[]): Module[] {
  const all = modulesOf(config, layer).map(module => ({
    module,
    ends: listEnds(toModulePath({ layer, module })),
  }));
  return names.flatMap(name => all.filter(({ ends }) => ends.includes(name)).map(({ module }) => module));
}

/** The parameters of an adapter, layer by layer. */
export function loraParameters(
  config: ModelConfig,
  { rank, modules }: Pick<LoraShape, 'rank' | 'modules'>,
): Parameter[] {
  return Array.from({ length: config.layers }, (_, layer) =>
    findModules(config, layer, modules).flatMap(module => {
      const [out, into] = moduleShape(config, module);
      const of = (side: 'a' | 'b', width: number): Parameter => ({
        name: adapterName(layer, module, side),
        layer,
        module,
        side,
        shape: [rank, width],
      });
      return [of('a', into), of('b', out)];
    }),
  ).flat();
}

/** A mask as an input of the graph: uint8 [tokens, width], 1 where the input is kept. */
export interface DropoutGroup {
  name: string;
  layer: number;
  modules: readonly Module[];
  width: number;
}

/** Modules with the same input share a mask; masks are inputs of the graph, so a run can be reproduced. */
export function dropoutInputs(config: ModelConfig, { modules }: Pick<LoraShape, 'modules'>): DropoutGroup[] {
  return Array.from({ length: config.layers }, (_, layer) => {
    const found = findModules(config, layer, modules);
    const groups = layerModules(config, layer);
    return GROUPS.flatMap(group => {
      const adapted = groups[group].filter(module => found.includes(module));
      if (adapted.length === 0) return [];
      const [, width] = moduleShape(config, adapted[0]!);
      const name = `keep.${layer}.${group}`;
      return [{ name, layer, modules: adapted, width }];
    });
  }).flat();
}

/** The mask that an adapter's input is multiplied by. The caller scales what is kept by 1 / (1 - rate). */
export function keepFactors(
  { graph }: Tape,
  groups: readonly DropoutGroup[],
): (layer: number, module: Module) => Tensor | undefined {
  const factors = groups.map(({ name, width, ...group }) => ({
    ...group,
    factor: cast(graph, graph.input(name, 'uint8', ['tokens', width]), 'float32'),
  }));
  return (layer, module) =>
    factors.find(entry => entry.layer === layer && entry.modules.includes(module))?.factor;
}
