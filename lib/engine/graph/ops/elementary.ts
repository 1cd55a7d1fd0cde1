// Operations whose gradient needs nothing saved: addition, a change of shape, picking rows, and a
// weighted sum.
import { add, gatherRows, multiply, reduce, reshape, scatterRows } from '../primitives.js';
import { type Operation, sum } from '../tape.js';
import type { Dimension, Tensor } from '../tensor.js';

/** y = a + b */
export const residual: Operation<{ a: Tensor; b: Tensor }, null, null> = {
  name: 'residual',
  forward: (graph, { a, b }) => ({ output: add(graph, a, b), saved: null }),
  backward(graph, { gradient, addTo }) {
    addTo('a', partial => sum(graph, partial, gradient));
    addTo('b', partial => sum(graph, partial, gradient));
  },
};

/** The same values in another shape. */
export const reshaped: Operation<{ x: Tensor }, { shape: readonly Dimension[] }, null> = {
  name: 'reshaped',
  forward: (graph, { x }, { shape }) => ({ output: reshape(graph, x, shape), saved: null }),
  backward(graph, { inputs: { x }, gradient, addTo }) {
    addTo('x', partial => sum(graph, partial, reshape(graph, gradient, x.shape)));
  },
};

/** Rows of a matrix by index: the embeddings of tokens, and the hidden states that have a label. */
export const pickRows: Operation<{ table: Tensor }, { rows: Tensor }, null> = {
  name: 'pickRows',
  forward: (graph, { table }, { rows }) => ({ output: gatherRows(graph, table, rows), saved: null }),
  backward(graph, { inputs: { table }, options: { rows }, gradient, addTo }) {
    addTo('table', partial => sum(graph, partial, scatterRows(graph, table, rows, gradient)));
  },
};

/** y = Σ weight * x, a scalar; both are vectors. */
export const weightedSum: Operation<{ x: Tensor }, { weights: Tensor }, null> = {
  name: 'weightedSum',
  forward(graph, { x }, { weights }) {
    const weighted = multiply(graph, x, weights);
    return { output: reshape(graph, reduce(graph, 'ReduceSum', weighted, 0), []), saved: null };
  },
  backward(graph, { options: { weights }, gradient, addTo }) {
    addTo('x', partial => sum(graph, partial, multiply(graph, weights, gradient)));
  },
};
