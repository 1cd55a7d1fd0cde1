// AdamW over one flat array: as a loop, and as a graph for a GPU that keeps the array.
import type { RunOptions } from '../../contract/index.js';
import {
  add,
  clip,
  divide,
  GraphBuilder,
  multiply,
  reduce,
  reshape,
  scale,
  subtract,
  type Tensor,
  unary,
} from '../graph/index.js';
import { GRADIENTS, PARAMETERS } from '../model/index.js';
import type { Inputs } from '../runtime/index.js';
import { createState, type ParameterState } from './state.js';

const [BETA1, BETA2, EPSILON] = [0.9, 0.999, 1e-8];

/** Two moments per value, and the number of steps taken. */
export interface AdamWState {
  step: number;
  readonly mean: Float32Array;
  readonly square: Float32Array;
}

/** @internal */
export function createAdamWState(size: number): AdamWState {
  return { step: 0, mean: new Float32Array(size), square: new Float32Array(size) };
}

/** How a step changes the values: options of the run, at the rate of the step. */
export type Update = Pick<RunOptions, 'learningRate' | 'maxGradNorm' | 'weightDecay'>;

/** What a runner changes. */
export interface Learned {
  state: ParameterState;
  /** Of the latest step, if they are computed here and not on a GPU. */
  gradient: ParameterState;
  optimizer: AdamWState;
}

/** A state with all that changing it takes. */
export function createLearned(state: ParameterState): Learned {
  return {
    state,
    gradient: createState(state.parameters),
    optimizer: createAdamWState(state.values.length),
  };
}

/**
 * AdamW over one flat array, as PyTorch computes it. Updates `values` in place; `gradient` is multiplied by `scale`
 * first.
 */
export function stepAdamW(
  values: Float32Array,
  gradient: Float32Array,
  state: AdamWState,
  { learningRate, weightDecay }: Omit<Update, 'maxGradNorm'>,
  scale = 1,
): void {
  const { mean, square } = state;
  state.step++;
  const meanCorrection = 1 - BETA1 ** state.step;
  const squareCorrection = Math.sqrt(1 - BETA2 ** state.step);
  const decay = 1 - learningRate * weightDecay;
  const size = learningRate / meanCorrection;
  for (let i = 0; i < values.length; i++) {
    const g = gradient[i]! * scale;
    const m = BETA1 * mean[i]! + (1 - BETA1) * g;
    const v = BETA2 * square[i]! + (1 - BETA2) * g * g;
    mean[i] = m;
    square[i] = v;
    values[i] = values[i]! * decay - (size * m) / (Math.sqrt(v) / squareCorrection + EPSILON);
  }
}

/** The norm of a gradient, and what to multiply it with so that the norm is at most `most`. */
export function clipGradient(gradient: Float32Array, most: number): { norm: number; factor: number } {
  let square = 0;
  for (let i = 0; i < gradient.length; i++) square += gradient[i]! * gradient[i]!;
  const norm = Math.sqrt(square);
  return { norm, factor: Math.min(1, most / (norm + TINY)) };
}

const TINY = 1e-6;

/** The names of what `buildAdamWGraph` takes and gives besides the parameters. */
export const [MEAN, SQUARE, NORM] = ['mean', 'square', 'norm'];

/**
 * The same as `clipGradient` and `stepAdamW`. Inputs: PARAMETERS, MEAN, SQUARE and GRADIENTS, float32 [size], and those
 * of `toAdamWInputs`. Outputs: the first three as they are afterwards, and NORM.
 */
export function buildAdamWGraph(size: number): GraphBuilder {
  const graph = new GraphBuilder();
  const input = (name: string, length = size) => graph.input(name, 'float32', [length]);
  const number = (value: number) => graph.values('float32', [1], [value]);
  const gradients = input(GRADIENTS);
  const norm = unary(graph, 'Sqrt', sumOfSquares(graph, gradients));
  const ratio = divide(graph, input('maxGradNorm', 1), add(graph, norm, number(TINY)));
  const gradient = multiply(graph, gradients, clip(graph, ratio, 0, 1));
  const mix = (before: Tensor, after: Tensor, share: number) =>
    add(graph, scale(graph, before, share), scale(graph, after, 1 - share));
  const mean = mix(input(MEAN), gradient, BETA1);
  const square = mix(input(SQUARE), multiply(graph, gradient, gradient), BETA2);
  const root = divide(graph, unary(graph, 'Sqrt', square), input('squareCorrection', 1));
  const change = divide(graph, multiply(graph, mean, input('size', 1)), add(graph, root, number(EPSILON)));
  graph.output(
    PARAMETERS_AFTER,
    subtract(graph, multiply(graph, input(PARAMETERS), input('decay', 1)), change),
  );
  graph.output(MEAN_AFTER, mean);
  graph.output(SQUARE_AFTER, square);
  graph.output(NORM, norm);
  return graph;
}

/** The outputs of `buildAdamWGraph`. */
export const [PARAMETERS_AFTER, MEAN_AFTER, SQUARE_AFTER] = ['parametersAfter', 'meanAfter', 'squareAfter'];

/** Counts the step. */
export function toAdamWInputs(state: AdamWState, { learningRate, maxGradNorm, weightDecay }: Update): Inputs {
  state.step++;
  return {
    maxGradNorm: Float32Array.of(maxGradNorm),
    squareCorrection: Float32Array.of(Math.sqrt(1 - BETA2 ** state.step)),
    size: Float32Array.of(learningRate / (1 - BETA1 ** state.step)),
    decay: Float32Array.of(1 - learningRate * weightDecay),
  };
}

/** float32 [1]. In rows, which a GPU sums side by side. */
function sumOfSquares(graph: GraphBuilder, a: Tensor): Tensor {
  const size = a.shape[0] as number;
  const width = widthOfRows(size);
  const rows = reshape(graph, multiply(graph, a, a), [size / width, width]);
  const sums = reshape(graph, reduce(graph, 'ReduceSum', rows, 1), [size / width]);
  return reduce(graph, 'ReduceSum', sums, 0);
}

/** The largest divisor of a size up to its root. */
function widthOfRows(size: number): number {
  for (let width = Math.floor(Math.sqrt(size)); width > 1; width--) if (size % width === 0) return width;
  return 1;
}
