// The numbers of an adapter in training: all in one flat array, so that the optimizer is one loop; the tensors that
// the graph is fed are views of it. B lies transposed against PEFT, [rank, out], which spares the graph a copy.
import type { Module, Parameter } from '../model/index.js';
import { transpose } from '../weights/index.js';

export interface LoraState {
  readonly parameters: readonly Parameter[];
  readonly values: Float32Array;
  /** Each parameter's part of `values`, by its name. */
  readonly views: Readonly<Record<string, Float32Array>>;
}

/** One module of one layer as PEFT has it: A [rank, in] and B [out, rank]. */
export interface LoraPair {
  layer: number;
  module: Module;
  a: Float32Array;
  b: Float32Array;
}

/** A state of zeros. */
export function createLoraState(parameters: readonly Parameter[]): LoraState {
  const size = ({ shape: [rank, width] }: Parameter) => rank * width;
  const values = new Float32Array(parameters.reduce((sum, parameter) => sum + size(parameter), 0));
  const views: Record<string, Float32Array> = {};
  let at = 0;
  for (const parameter of parameters) {
    views[parameter.name] = values.subarray(at, at + size(parameter));
    at += size(parameter);
  }
  return { parameters, values, views };
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
