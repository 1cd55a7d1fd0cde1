// loss = Σ weight * -log softmax(hidden tableᵀ)[label]. The logits' gradient is never made: p table - table[label] is
// what flows back, so there is no one-hot matrix and nothing is scattered into the logits.
import {
  gatherColumns,
  gatherRows,
  matMul,
  multiply,
  reduce,
  reshape,
  scatterRows,
  softmax,
  subtract,
  unary,
} from '../primitives.js';
import { type Operation, sum } from '../tape.js';
import type { Tensor } from '../tensor.js';

export type CrossEntropyInputs = {
  /** [rows, dim] */
  hidden: Tensor;
  /** [vocabulary, dim] */
  table: Tensor;
};

export interface CrossEntropyOptions {
  /** int64 [rows] */
  labels: Tensor;
  /** [rows]; a row of no weight adds nothing. */
  weights: Tensor;
}

interface Saved {
  /** softmax of the logits, [rows, vocabulary] */
  probabilities: Tensor;
}

export const crossEntropy: Operation<CrossEntropyInputs, CrossEntropyOptions, Saved> = {
  name: 'crossEntropy',
  forward(graph, { hidden, table }, { labels, weights }) {
    const rows = hidden.shape[0]!;
    const logits = matMul(graph, hidden, table, { transB: true });
    const probabilities = softmax(graph, logits);
    // log Σ exp z = max z - log max p: two reductions of what is there, and no second exponential.
    const highest = reduce(graph, 'ReduceMax', logits, 1);
    const logSum = subtract(
      graph,
      highest,
      unary(graph, 'Log', reduce(graph, 'ReduceMax', probabilities, 1)),
    );
    const chosen = gatherColumns(graph, logits, reshape(graph, labels, [rows, 1]));
    const weighted = multiply(graph, subtract(graph, logSum, chosen), reshape(graph, weights, [rows, 1]));
    return { output: reshape(graph, reduce(graph, 'ReduceSum', weighted, 0), []), saved: { probabilities } };
  },
  backward(graph, { inputs: { hidden, table }, options: { labels, weights }, saved, gradient, add }) {
    const rows = hidden.shape[0]!;
    const scale = multiply(graph, reshape(graph, weights, [rows, 1]), gradient);
    add('hidden', partial => {
      const expected = matMul(graph, saved.probabilities, table);
      const difference = subtract(graph, expected, gatherRows(graph, table, labels));
      return sum(graph, partial, multiply(graph, difference, scale));
    });
    add('table', partial => {
      const spread = matMul(graph, multiply(graph, saved.probabilities, scale), hidden, { transA: true });
      const chosen = scatterRows(graph, table.shape, labels, multiply(graph, hidden, scale));
      return sum(graph, partial, subtract(graph, spread, chosen));
    });
  },
};
