// An adapter in training, converted from and to PEFT's matrices. B is transposed here, [rank, out], which saves the graph
// a copy.
import {
  type LoraShape,
  loraParameters,
  type ModelSource,
  type Module,
  type Parameter,
} from '../model/index.js';
import { transpose } from '../weights/index.js';
import { createState, type ParameterState } from './state.js';

export type LoraState = ParameterState<Parameter>;

/** One module of one layer in PEFT's layout: A [rank, in] and B [out, rank]. */
export interface LoraPair {
  layer: number;
  module: Module;
  a: Float32Array;
  b: Float32Array;
}

export function createAdapterState({ config }: Pick<ModelSource, 'config'>, lora: LoraShape): LoraState {
  return createState(loraParameters(config, lora));
}

/** Throws if a parameter has no matching matrix. */
export function loadPairs(state: LoraState, pairs: readonly LoraPair[]): void {
  const byModule = new Map(pairs.map(pair => [`${pair.layer}.${pair.module}`, pair]));
  for (const { name, layer, module, side, shape } of state.parameters) {
    const pair = byModule.get(`${layer}.${module}`);
    if (!pair) throw new Error(`The adapter has no ${module} in layer ${layer}.`);
    const [rank, width] = shape;
    state.views[name]!.set(side === 'a' ? pair.a : transpose(pair.b, width, rank));
  }
}

/** Copies the matrices into PEFT's layout. */
export function toPairs({ parameters, views }: LoraState): LoraPair[] {
  return parameters
    .filter(({ side }) => side === 'a')
    .map(({ name, layer, module }) => {
      const other = parameters.find(p => p.layer === layer && p.module === module && p.side === 'b')!;
      const [rank, out] = other.shape;
      return { layer, module, a: views[name]!.slice(), b: transpose(views[other.name]!, rank, out) };
    });
}
