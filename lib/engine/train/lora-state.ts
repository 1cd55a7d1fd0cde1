// An adapter in training, to and from PEFT's matrices. B lies transposed against PEFT, [rank, out], which spares the
// graph a copy.
import type { Module, Parameter } from '../model/index.js';
import { transpose } from '../weights/index.js';
import type { ParameterState } from './state.js';

export type LoraState = ParameterState<Parameter>;

/** One module of one layer as PEFT has it: A [rank, in] and B [out, rank]. */
export interface LoraPair {
  layer: number;
  module: Module;
  a: Float32Array;
  b: Float32Array;
}

/** Takes over the matrices of an adapter; each parameter must find its own. */
export function loadPairs(state: LoraState, pairs: readonly LoraPair[]): void {
  const byPlace = new Map(pairs.map(pair => [`${pair.layer}.${pair.module}`, pair]));
  for (const { name, layer, module, side, shape } of state.parameters) {
    const pair = byPlace.get(`${layer}.${module}`);
    if (!pair) throw new Error(`The adapter has no ${module} in layer ${layer}.`);
    const [rank, width] = shape;
    state.views[name]!.set(side === 'a' ? pair.a : transpose(pair.b, width, rank));
  }
}

/** The matrices as PEFT has them, copied. */
export function toPairs({ parameters, views }: LoraState): LoraPair[] {
  return parameters
    .filter(({ side }) => side === 'a')
    .map(({ name, layer, module }) => {
      const other = parameters.find(p => p.layer === layer && p.module === module && p.side === 'b')!;
      const [rank, out] = other.shape;
      return { layer, module, a: views[name]!.slice(), b: transpose(views[other.name]!, rank, out) };
    });
}
