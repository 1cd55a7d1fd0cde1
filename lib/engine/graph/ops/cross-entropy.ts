// y = -log softmax(hidden tableᵀ)[label], row by row. The gradient of the logits is never materialized: p table -
// table[label] flows back directly, without a one-hot matrix and without scattering into the logits.
import type { OutputTable } from '../matrix.js';
import {
  gatherColumns,
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

type CrossEntropyInputs = {
  /** [rows, dim] */
  hidden: Tensor;
  /** [vocabulary, dim] */
  table: Tensor;
};

interface CrossEntropyOptions {
  /** The table, for products. */
  output: OutputTable;
  /** int64 [rows] */
  labels: Tensor;
}

interface Saved {
  /** softmax of the logits, [rows, vocabulary] */
  probabilities: Tensor;
}

export const crossEntropy: Operation<CrossEntropyInputs, CrossEntropyOptions, Saved> = {
  name: 'crossEntropy',
  forward(graph, { hidden }, { output, labels }) {
    const rows = hidden.shape[0]!;
    const logits = output.multiply(graph, hidden);
    const probabilities = softmax(graph, logits);
    // log Σ exp z = max z - log max p: two reductions of existing tensors instead of a second exponential.
    const highest = reduce(graph, 'ReduceMax', logits, 1);
    const logSum = subtract(
      graph,
      highest,
      unary(graph, 'Log', reduce(graph, 'ReduceMax', probabilities, 1)),
    );
    const chosen = gatherColumns(graph, logits, reshape(graph, labels, [rows, 1]));
    const losses = subtract(graph, logSum, chosen);
    return { output: reshape(graph, losses, [rows]), saved: { probabilities } };
  },
  backward(graph, { inputs: { hidden, table }, options: { output, labels }, saved, gradient, addTo }) {
    const rows = hidden.shape[0]!;
    const scale = reshape(graph, gradient, [rows, 1]);
    addTo('hidden', partial => {
      const distance = output.distanceFromLabels(graph, saved.probabilities, labels);
      return sum(graph, partial, multiply(graph, distance, scale));
    });
    addTo('table', partial => {
      const spread = matMul(graph, multiply(graph, saved.probabilities, scale), hidden, { transA: true });
      const chosen = scatterRows(graph, table, labels, multiply(graph, hidden, scale));
      return sum(graph, partial, subtract(graph, spread, chosen));
    });
  },
};
