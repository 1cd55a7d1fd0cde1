// How products with a weight matrix are computed: here in float32; `int8` has those in integers.
import type { GraphBuilder, Tensor } from './graph.js';
import { gatherRows, gemm, matMul, matMulInto, slice } from './primitives.js';

/** W, [out, in]. */
export interface Matrix {
  /** The weight itself, if it is a tensor of the graph, which may be trained. */
  readonly tensor?: Tensor;
  /** x Wᵀ */
  multiply(graph: GraphBuilder, x: Tensor): Tensor;
  /** x Wᵀ + addend */
  multiplyInto(graph: GraphBuilder, x: Tensor, addend: Tensor): Tensor;
  /** gradient W, added to `partial` if there is one. */
  backpropagateInto(graph: GraphBuilder, gradient: Tensor, partial: Tensor | null): Tensor;
}

/** The matrix that computes the logits: a row for each token of the vocabulary. */
export interface OutputTable extends Pick<Matrix, 'tensor' | 'multiply'> {
  /** probabilities W: the mean of its rows. Probabilities are not negative, and add up to 1. */
  mean(graph: GraphBuilder, probabilities: Tensor): Tensor;
  /**
   * W[tokens], rounded as in `mean`. Both may be without a row that is part of all rows, so only differences between them count.
   */
  rowsOf(graph: GraphBuilder, tokens: Tensor): Tensor;
}

export function float32Matrix(tensor: Tensor): Matrix {
  return {
    tensor,
    multiply: (graph, x) => matMul(graph, x, tensor, { transB: true }),
    multiplyInto: (graph, x, addend) => gemm(graph, x, tensor, addend, { transB: true }),
    backpropagateInto: (graph, gradient, partial) => matMulInto(graph, partial, gradient, tensor),
  };
}

/**
 * The stride of the vocabulary's matrix is often close to a power of two, so its rows compete for the same cache lines
 * and a product along them is 1.5× slower; chunks of a width that is not a power of two avoid that.
 */
const CHUNK = 2048 + 128;

/** Some rows of a matrix. */
type RowsOfMatrix = (graph: GraphBuilder, from: number, to: number) => Tensor;

export function float32Table(
  tensor: Tensor,
  rowsBetween: RowsOfMatrix = (graph, from, to) => slice(graph, tensor, 0, from, to),
): OutputTable {
  const { multiply } = float32Matrix(tensor);
  return {
    tensor,
    multiply,
    mean(graph, probabilities) {
      const vocabulary = tensor.shape[0] as number;
      const axis = probabilities.shape.length - 1;
      let total: Tensor | null = null;
      for (let from = 0; from < vocabulary; from += CHUNK) {
        const to = Math.min(vocabulary, from + CHUNK);
        const part = slice(graph, probabilities, axis, from, to);
        total = matMulInto(graph, total, part, rowsBetween(graph, from, to));
      }
      return total!;
    },
    rowsOf: (graph, tokens) => gatherRows(graph, tensor, tokens),
  };
}
