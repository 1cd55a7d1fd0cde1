// loss = Σ weight * -log softmax(hidden tableᵀ)[label]. The gradient of the logits is never materialized: p table -
// table[label] flows back directly, without a one-hot matrix and without scattering into the logits.
import type { GraphBuilder } from '../graph.js';
import {
  gatherColumns,
  gatherRows,
  matMul,
  matMulInto,
  multiply,
  reduce,
  reshape,
  scatterRows,
  slice,
  softmax,
  subtract,
  unary,
} from '../primitives.js';
import { type Operation, sum } from '../tape.js';
import type { Tensor } from '../tensor.js';

/**
 * The stride of the vocabulary's matrix is often close to a power of two, so its rows compete for the same cache lines
 * and a product along them is 1.5× slower; chunks of a width that is not a power of two avoid that.
 */
const CHUNK = 2048 + 128;

type CrossEntropyInputs = {
  /** [rows, dim] */
  hidden: Tensor;
  /** [vocabulary, dim] */
  table: Tensor;
};

interface CrossEntropyOptions {
  /** int64 [rows] */
  labels: Tensor;
  /** [rows]; a row of weight 0 does not count. */
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
    // log Σ exp z = max z - log max p: two reductions of existing tensors instead of a second exponential.
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
  backward(graph, { inputs: { hidden, table }, options: { labels, weights }, saved, gradient, addTo }) {
    const rows = hidden.shape[0]!;
    const scale = multiply(graph, reshape(graph, weights, [rows, 1]), gradient);
    addTo('hidden', partial => {
      const expected = expectedRow(graph, saved.probabilities, table);
      const difference = subtract(graph, expected, gatherRows(graph, table, labels));
      return sum(graph, partial, multiply(graph, difference, scale));
    });
    addTo('table', partial => {
      const spread = matMul(graph, multiply(graph, saved.probabilities, scale), hidden, { transA: true });
      const chosen = scatterRows(graph, table.shape, labels, multiply(graph, hidden, scale));
      return sum(graph, partial, subtract(graph, spread, chosen));
    });
  },
};

/** probabilities @ table */
function expectedRow(graph: GraphBuilder, probabilities: Tensor, table: Tensor): Tensor {
  const vocabulary = table.shape[0]!;
  let total: Tensor | null = null;
  for (let from = 0; from < vocabulary; from += CHUNK) {
    const to = Math.min(vocabulary, from + CHUNK);
    const part = slice(graph, probabilities, 1, from, to);
    total = matMulInto(graph, total, part, slice(graph, table, 0, from, to));
  }
  return total!;
}
