// A weight matrix as products with it are computed: in float32 here, and in integers where it has been rounded.
import type { GraphBuilder } from './graph.js';
import { gemm, matMul, matMulInto, slice } from './primitives.js';
import type { Dimension, Tensor } from './tensor.js';

/** W, [out, in]. */
export interface Matrix {
  /** The weight itself, if it is a tensor of the graph: one that may be trained. */
  readonly tensor?: Tensor;
  /** x Wᵀ */
  multiply<D extends Dimension>(graph: GraphBuilder<D>, x: Tensor<D>): Tensor<D>;
  /** x Wᵀ + addend, for matrices x. */
  multiplyInto(graph: GraphBuilder, x: Tensor, addend: Tensor): Tensor;
  /** gradient W, added to `partial` if there is one. */
  backpropagateInto(graph: GraphBuilder, gradient: Tensor, partial: Tensor | null): Tensor;
}

/**
 * The stride of a vocabulary's matrix is often close to a power of two, so its rows compete for the same cache lines and
 * a product along them is 1.5× slower; chunks of a width that is not a power of two avoid that.
 */
const CHUNK = 2048 + 128;

/** Products in float32. */
export function float32Matrix(tensor: Tensor): Matrix {
  return {
    tensor,
    multiply: <D extends Dimension>(graph: GraphBuilder<D>, x: Tensor<D>) =>
      matMul(graph, x, tensor as Tensor<Dimension> as Tensor<D>, { transB: true }),
    multiplyInto: (graph, x, addend) => gemm(graph, x, tensor, addend, { transB: true }),
    backpropagateInto(graph, gradient, partial) {
      const [rows] = tensor.shape as [number, number];
      if (rows <= 2 * CHUNK) return matMulInto(graph, partial, gradient, tensor);
      let total = partial;
      for (let from = 0; from < rows; from += CHUNK) {
        const to = Math.min(rows, from + CHUNK);
        total = matMulInto(
          graph,
          total,
          slice(graph, gradient, 1, from, to),
          slice(graph, tensor, 0, from, to),
        );
      }
      return total!;
    },
  };
}
