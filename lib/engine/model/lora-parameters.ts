// The names, shapes and order of an adapter's matrices in the graphs.
import type { ModelConfig } from './config.js';
import { type Module, moduleShape } from './weight-names.js';

export interface LoraShape {
  rank: number;
  scaling: number;
  modules: readonly Module[];
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

/** The parameters of an adapter, layer by layer. */
export function loraParameters(
  config: ModelConfig,
  { rank, modules }: Pick<LoraShape, 'rank' | 'modules'>,
): Parameter[] {
  return Array.from({ length: config.layers }, (_, layer) =>
    modules.flatMap(module => {
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
