// Operations without a product of matrices: addition, a change of shape, a factor, picked rows, a weighted sum, and the norm.
import type { Dimension, Tensor } from '../graph.js';
import {
  add,
  concat,
  gatherRows,
  multiply,
  normalizeRows,
  reduce,
  repeat,
  reshape,
  scatterRows,
  split,
  subtract,
  scale as times,
  unary,
} from '../primitives.js';
import { type BranchingOperation, type Operation, sum } from '../tape.js';

/** y = a + b */
export const residual: Operation<{ a: Tensor; b: Tensor }, null, null> = {
  forward: (graph, { a, b }) => ({ output: add(graph, a, b), saved: null }),
  backward(graph, { gradient, addTo }) {
    addTo('a', partial => sum(graph, partial, gradient));
    addTo('b', partial => sum(graph, partial, gradient));
  },
};

/** y = factor * x */
export const scaled: Operation<{ x: Tensor }, { factor: number }, null> = {
  forward: (graph, { x }, { factor }) => ({ output: times(graph, x, factor), saved: null }),
  backward(graph, { options: { factor }, gradient, addTo }) {
    addTo('x', partial => sum(graph, partial, times(graph, gradient, factor)));
  },
};

/** y = a * b */
export const product: Operation<{ a: Tensor; b: Tensor }, null, null> = {
  forward: (graph, { a, b }) => ({ output: multiply(graph, a, b), saved: null }),
  backward(graph, { inputs: { a, b }, gradient, addTo }) {
    addTo('a', partial => sum(graph, partial, multiply(graph, gradient, b)));
    addTo('b', partial => sum(graph, partial, multiply(graph, gradient, a)));
  },
};

/** The columns of a matrix in parts of these widths. All parts must be used. */
export const columns: BranchingOperation<{ x: Tensor }, { widths: readonly number[] }, null> = {
  forward: (graph, { x }, { widths }) => ({ outputs: split(graph, x, 1, widths), saved: null }),
  backward(graph, { gradients, addTo }) {
    addTo('x', partial => sum(graph, partial, concat(graph, gradients as readonly Tensor[], 1)));
  },
};

export const reshaped: Operation<{ x: Tensor }, { shape: readonly Dimension[] }, null> = {
  forward(graph, { x }, { shape }) {
    const output = reshape(graph, x, shape);
    // A tensor of its own even if the shape stays: gradients are kept by name.
    return { output: output === x ? unary(graph, 'Identity', x) : output, saved: null };
  },
  backward(graph, { inputs: { x }, gradient, addTo }) {
    addTo('x', partial => sum(graph, partial, reshape(graph, gradient, x.shape)));
  },
};

/** Each head of `x`, [tokens, heads * dim], `count` times, one after another: [tokens, heads * count * dim]. */
export const repeatHeads: Operation<{ x: Tensor }, { heads: number; count: number }, null> = {
  forward(graph, { x }, { heads, count }) {
    const [tokens, width] = x.shape as [Dimension, number];
    const parted = reshape(graph, x, [tokens, heads, 1, width / heads]);
    return { output: reshape(graph, repeat(graph, parted, count, 2), [tokens, width * count]), saved: null };
  },
  backward(graph, { inputs: { x }, options: { heads, count }, gradient, addTo }) {
    const [tokens, width] = x.shape as [Dimension, number];
    addTo('x', partial => {
      const parted = reshape(graph, gradient, [tokens, heads, count, width / heads]);
      return sum(graph, partial, reshape(graph, reduce(graph, 'ReduceSum', parted, 2), x.shape));
    });
  },
};

/** Rows of a matrix by index: the embeddings of tokens, and the hidden states that have a label. */
export const pickRows: Operation<{ table: Tensor }, { rows: Tensor }, null> = {
  forward: (graph, { table }, { rows }) => ({ output: gatherRows(graph, table, rows), saved: null }),
  backward(graph, { inputs: { table }, options: { rows }, gradient, addTo }) {
    addTo('table', partial => sum(graph, partial, scatterRows(graph, table, rows, gradient)));
  },
};

/** y = Σ weight * x, a scalar; both are vectors. */
export const weightedSum: Operation<{ x: Tensor }, { weights: Tensor }, null> = {
  forward(graph, { x }, { weights }) {
    const weighted = multiply(graph, x, weights);
    return { output: reshape(graph, reduce(graph, 'ReduceSum', weighted, 0), []), saved: null };
  },
  backward(graph, { options: { weights }, gradient, addTo }) {
    addTo('x', partial => sum(graph, partial, multiply(graph, weights, gradient)));
  },
};

type RmsNormInputs = {
  /** [rows, dim] */
  x: Tensor;
  /** [dim] */
  scale: Tensor;
};

interface RmsNormSaved {
  /** 1 / rms(x), [rows, 1] */
  inverse: Tensor;
}

/** y = x / rms(x) * scale, row by row. */
export const rmsNorm: Operation<RmsNormInputs, { epsilon: number }, RmsNormSaved> = {
  forward(graph, { x, scale }, { epsilon }) {
    const [output, inverse] = normalizeRows(graph, x, scale, epsilon);
    return { output, saved: { inverse } };
  },
  backward(graph, { inputs: { x, scale }, saved: { inverse }, gradient, addTo }) {
    addTo('scale', partial => {
      const perRow = multiply(graph, gradient, multiply(graph, x, inverse));
      return sum(graph, partial, reshape(graph, reduce(graph, 'ReduceSum', perRow, 0), scale.shape));
    });
    addTo('x', partial => {
      // inverse * scaled - x * inverse³ * mean(scaled * x); operations on [rows, 1] are almost free.
      const scaled = multiply(graph, gradient, scale);
      const along = reduce(graph, 'ReduceMean', multiply(graph, scaled, x), x.shape.length - 1);
      const cubed = multiply(graph, multiply(graph, inverse, inverse), inverse);
      const back = multiply(graph, x, multiply(graph, cubed, along));
      return sum(graph, partial, subtract(graph, multiply(graph, scaled, inverse), back));
    });
  },
};
