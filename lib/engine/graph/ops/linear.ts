// y = x Wᵀ + bias + scaling (x Aᵀ) B, where only the first term is required. W is [out, in] as in the model's file, A
// is [rank, in] and B is [rank, out], so no product needs a transposed copy, forward or backward.
import { add, gemm, matMul, matMulInto, multiply, reduce, reshape } from '../primitives.js';
import { type Operation, sum } from '../tape.js';
import type { Tensor } from '../tensor.js';

type LinearInputs = {
  /** [tokens, in] */
  x: Tensor;
  /** [out, in] */
  weight: Tensor;
  /** [out] */
  bias?: Tensor | undefined;
  /** [rank, in] */
  a?: Tensor | undefined;
  /** [rank, out] */
  b?: Tensor | undefined;
};

interface LinearOptions {
  scaling: number;
  /** The dropout mask of the adapter's input: zeros and ones, [tokens, in]. */
  keep?: Tensor | undefined;
}

interface Saved {
  /** The adapter's input: x after dropout. */
  seen: Tensor;
  /** x Aᵀ, [tokens, rank] */
  inner: Tensor | null;
}

export const linear: Operation<LinearInputs, LinearOptions, Saved> = {
  name: 'linear',
  forward(graph, { x, weight, bias, a, b }, { scaling, keep }) {
    const seen = keep ? multiply(graph, x, keep) : x;
    if (!a || !b) {
      const output = bias
        ? gemm(graph, x, weight, bias, { transB: true })
        : matMul(graph, x, weight, { transB: true });
      return { output, saved: { seen, inner: null } };
    }
    const inner = matMul(graph, seen, a, { transB: true });
    const adapted = matMul(graph, inner, b, { alpha: scaling });
    const product = gemm(graph, x, weight, adapted, { transB: true });
    return { output: bias ? add(graph, product, bias) : product, saved: { seen, inner } };
  },
  backward(graph, { inputs, options, saved, gradient, needs, addTo }) {
    const { x, weight, bias, a, b } = inputs;
    const { scaling, keep } = options;
    addTo('weight', partial => matMulInto(graph, partial, gradient, x, { transA: true }));
    addTo('bias', partial =>
      sum(graph, partial, reshape(graph, reduce(graph, 'ReduceSum', gradient, 0), bias!.shape)),
    );
    if (!a || !b || !saved.inner) {
      addTo('x', partial => matMulInto(graph, partial, gradient, weight));
      return;
    }
    addTo('b', partial =>
      matMulInto(graph, partial, saved.inner!, gradient, { transA: true, alpha: scaling }),
    );
    if (!needs('a') && !needs('x')) return;
    const innerGradient = matMul(graph, gradient, b, { transB: true, alpha: scaling }); // [tokens, rank]
    addTo('a', partial => matMulInto(graph, partial, innerGradient, saved.seen, { transA: true }));
    addTo('x', partial => {
      const throughAdapter = keep
        ? sum(graph, partial, multiply(graph, matMul(graph, innerGradient, a), keep))
        : matMulInto(graph, partial, innerGradient, a);
      return gemm(graph, gradient, weight, throughAdapter);
    });
  },
};
