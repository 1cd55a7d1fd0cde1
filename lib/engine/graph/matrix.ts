// A weight matrix as products with it are computed: in float32 here, and in integers where it has been rounded.
import type { GraphBuilder } from './graph.js';
import { gemm, matMul, matMulInto, slice } from './primitives.js';
import type { Dimension, Tensor } from './tensor.js';

/** W, [out, in]. */
export interface Matrix<D extends Dimension = number> {
  /** The weight itself, if it is a tensor of the graph, which may be trained. */
  readonly tensor?: Tensor;
  /** x Wᵀ */
  multiply(graph: GraphBuilder<D>, x: Tensor<D>): Tensor<D>;
  /** x Wᵀ + addend */
  multiplyInto(graph: GraphBuilder<D>, x: Tensor<D>, addend: Tensor<D>): Tensor<D>;
  /** gradient W, added to `partial` if there is one. */
  backpropagateInto(graph: GraphBuilder<D>, gradient: Tensor<D>, partial: Tensor<D> | null): Tensor<D>;
}

/** The matrix that computes the logits: a row for each token of the vocabulary. */
export interface OutputTable<D extends Dimension = number> extends Pick<Matrix<D>, 'tensor' | 'multiply'> {
  /** probabilities W: the mean row. Probabilities are not negative, and add up to 1. */
  mixRows(graph: GraphBuilder<D>, probabilities: Tensor<D>): Tensor<D>;
}

/** Products in float32. */
export function float32Matrix<D extends Dimension>(tensor: Tensor): Matrix<D> {
  const weight = tensor as Tensor<Dimension> as Tensor<D>;
  return {
    tensor,
    multiply: (graph, x) => matMul(graph, x, weight, { transB: true }),
    multiplyInto: (graph, x, addend) => gemm(graph, x, weight, addend, { transB: true }),
    backpropagateInto: (graph, gradient, partial) => matMulInto(graph, partial, gradient, weight),
  };
}

/**
 * The stride of the vocabulary's matrix is often close to a power of two, so its rows compete for the same cache lines
 * and a product along them is 1.5× slower; chunks of a width that is not a power of two avoid that.
 */
const CHUNK = 2048 + 128;

/** Products in float32. */
export function float32Table<D extends Dimension>(tensor: Tensor): OutputTable<D> {
  const { multiply } = float32Matrix<D>(tensor);
  const table = tensor as Tensor<Dimension> as Tensor<D>;
  return {
    tensor,
    multiply,
    mixRows(graph, probabilities) {
      const vocabulary = tensor.shape[0]!;
      const axis = probabilities.shape.length - 1;
      let total: Tensor<D> | null = null;
      for (let from = 0; from < vocabulary; from += CHUNK) {
        const to = Math.min(vocabulary, from + CHUNK);
        const part = slice(graph, probabilities, axis, from, to);
        total = matMulInto(graph, total, part, slice(graph, table, 0, from, to));
      }
      return total!;
    },
  };
}
