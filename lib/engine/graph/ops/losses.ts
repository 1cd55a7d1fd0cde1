// The losses that a model is trained with: of labels, of pairs of answers, and of sampled answers with an advantage.
import type { GraphBuilder, Tensor } from '../graph.js';
import type { OutputTable } from '../matrix.js';
import {
  add,
  clip,
  concat,
  divide,
  gatherColumns,
  gatherRows,
  matMul,
  multiply,
  reduce,
  reshape,
  scale,
  scatterRows,
  slice,
  softmax,
  subtract,
  unary,
} from '../primitives.js';
import { type Operation, sum } from '../tape.js';

type CrossEntropyInputs = {
  /** [rows, dim] */
  hidden: Tensor;
  /** [vocabulary, dim] */
  table: Tensor;
};

interface CrossEntropyOptions {
  output: OutputTable;
  /** int64 [rows] */
  labels: Tensor;
}

interface CrossEntropySaved {
  /** softmax of the logits, [rows, vocabulary] */
  probabilities: Tensor;
}

/**
 * y = -log softmax(hidden tableᵀ)[label], row by row. The gradient of the logits is never materialized: p table -
 * table[label] flows back directly, without a one-hot matrix and without scattering into the logits.
 */
export const crossEntropy: Operation<CrossEntropyInputs, CrossEntropyOptions, CrossEntropySaved> = {
  forward(graph, { hidden }, { output, labels }) {
    const rows = hidden.shape[0]!;
    const logits = output.multiply(graph, hidden);
    const probabilities = softmax(graph, logits);
    const chosen = gatherColumns(graph, logits, reshape(graph, labels, [rows, 1]));
    const losses = subtract(graph, logSum(graph, logits, probabilities), chosen);
    return { output: reshape(graph, losses, [rows]), saved: { probabilities } };
  },
  backward(graph, { inputs: { hidden, table }, options: { output, labels }, saved, gradient, addTo }) {
    const rows = hidden.shape[0]!;
    const scale = reshape(graph, gradient, [rows, 1]);
    addTo('hidden', partial => {
      const mean = output.mean(graph, saved.probabilities);
      const distance = subtract(graph, mean, output.rowsOf(graph, labels));
      return sum(graph, partial, multiply(graph, distance, scale));
    });
    addTo('table', partial => {
      const spread = matMul(graph, multiply(graph, saved.probabilities, scale), hidden, { transA: true });
      const chosen = scatterRows(graph, table, labels, multiply(graph, hidden, scale));
      return sum(graph, partial, subtract(graph, spread, chosen));
    });
  },
};

/** log Σ exp z = max z - log max p of each row: two reductions of existing tensors instead of a second exponential. */
export function logSum(graph: GraphBuilder, logits: Tensor, probabilities: Tensor): Tensor {
  const highest = reduce(graph, 'ReduceMax', logits, 1);
  return subtract(graph, highest, unary(graph, 'Log', reduce(graph, 'ReduceMax', probabilities, 1)));
}

interface PartsOptions {
  /** int64 [rows] */
  labels: Tensor;
  /** The most rows of the table whose logits are one tensor. */
  rowsAtOnce: number;
}

interface PartsSaved {
  /** Of each part: its rows of the table, and exp(logits - highest), [rows, part]. */
  parts: readonly { rows: Tensor; weights: Tensor }[];
  /** The sum of the weights, [rows, 1]. */
  total: Tensor;
  /** table[labels] */
  chosen: Tensor;
}

/** The same, with the vocabulary in parts, for devices that bound the size of a tensor. */
export const crossEntropyInParts: Operation<CrossEntropyInputs, PartsOptions, PartsSaved> = {
  forward(graph, { hidden, table }, { labels, rowsAtOnce }) {
    const [vocabulary, rows] = [table.shape[0] as number, hidden.shape[0]!];
    const logits = rangesOf(vocabulary, rowsAtOnce).map(([from, to]) => {
      const part = slice(graph, table, 0, from, to);
      return { rows: part, logits: matMul(graph, hidden, part, { transB: true }) };
    });
    const overParts = (op: 'ReduceMax' | 'ReduceSum', columns: readonly Tensor[]) =>
      columns.length === 1 ? columns[0]! : reduce(graph, op, concat(graph, columns, 1), 1);
    const highest = overParts(
      'ReduceMax',
      logits.map(part => reduce(graph, 'ReduceMax', part.logits, 1)),
    );
    const parts = logits.map(part => ({
      rows: part.rows,
      weights: unary(graph, 'Exp', subtract(graph, part.logits, highest)),
    }));
    const total = overParts(
      'ReduceSum',
      parts.map(({ weights }) => reduce(graph, 'ReduceSum', weights, 1)),
    );
    const chosen = gatherRows(graph, table, labels);
    const logit = reduce(graph, 'ReduceSum', multiply(graph, hidden, chosen), 1);
    const losses = subtract(graph, add(graph, highest, unary(graph, 'Log', total)), logit);
    return { output: reshape(graph, losses, [rows]), saved: { parts, total, chosen } };
  },
  backward(graph, { inputs: { hidden, table }, options: { labels }, saved, gradient, addTo }) {
    const { parts, total, chosen } = saved;
    const scale = reshape(graph, gradient, [hidden.shape[0]!, 1]);
    addTo('hidden', partial => {
      const sums = parts.map(({ weights, rows }) => matMul(graph, weights, rows));
      const mean = divide(
        graph,
        sums.reduce((all, part) => add(graph, all, part)),
        total,
      );
      return sum(graph, partial, multiply(graph, subtract(graph, mean, chosen), scale));
    });
    addTo('table', partial => {
      const scaled = multiply(graph, hidden, divide(graph, scale, total));
      const spread = parts.map(({ weights }) => matMul(graph, weights, scaled, { transA: true }));
      const picked = scatterRows(graph, table, labels, multiply(graph, hidden, scale));
      return sum(graph, partial, subtract(graph, concat(graph, spread, 0), picked));
    });
  },
};

function rangesOf(length: number, most: number): [from: number, to: number][] {
  return Array.from({ length: Math.ceil(length / most) }, (_, i) => [
    i * most,
    Math.min(length, (i + 1) * most),
  ]);
}

interface PreferenceOptions {
  /** [pairs, labels]: 1 for the labels of the chosen answer, -1 for those of the rejected one, 0 for those of others. */
  sides: Tensor;
  /** log p(chosen) - log p(rejected) of the reference, [pairs]. */
  reference: Tensor;
  /** [pairs] */
  weights: Tensor;
  beta: number;
  /** The share of pairs that are thought to be the wrong way round, from 0 to less than 0.5. */
  smoothing: number;
}

interface PreferenceSaved {
  /** [pairs, 1] */
  z: Tensor;
}

/**
 * Direct preference optimization: how much more a model prefers one answer to another than a reference does. For each pair,
 * z = beta * (log p(chosen) - log p(rejected) - the same of the reference), and the loss is -log sigmoid(z), or a mix of it
 * with -log sigmoid(-z) where some labels are thought to be wrong.
 * `losses` are -log p of each label, [labels]; the result is the weighted sum over all pairs.
 */
export const preference: Operation<{ losses: Tensor }, PreferenceOptions, PreferenceSaved> = {
  forward(graph, { losses }, { sides, reference, weights, beta, smoothing }) {
    const [pairs, labels] = sides.shape;
    const scalar = (value: number) => graph.values('float32', [], [value]);
    const column = (vector: Tensor) => reshape(graph, vector, [pairs!, 1]);
    const apart = matMul(graph, sides, reshape(graph, losses, [labels!, 1]));
    const z = multiply(graph, add(graph, apart, column(reference)), scalar(-beta));
    // -log sigmoid(z) = softplus(-z) = softplus(z) - z
    const wrong = unary(graph, 'Softplus', z);
    const each = subtract(graph, wrong, multiply(graph, z, scalar(1 - smoothing)));
    const weighted = multiply(graph, each, column(weights));
    return { output: reshape(graph, reduce(graph, 'ReduceSum', weighted, 0), []), saved: { z } };
  },
  backward(graph, { options: { sides, weights, beta, smoothing }, saved: { z }, gradient, addTo }) {
    const [pairs, labels] = sides.shape;
    addTo('losses', partial => {
      const slope = subtract(graph, graph.values('float32', [], [1 - smoothing]), unary(graph, 'Sigmoid', z));
      const byPair = multiply(graph, multiply(graph, slope, reshape(graph, weights, [pairs!, 1])), gradient);
      const byLabel = matMul(graph, sides, byPair, { transA: true, alpha: beta });
      return sum(graph, partial, reshape(graph, byLabel, [labels!]));
    });
  },
};

interface PolicyOptions {
  /** How much better than others of its group the answer of a label is, [labels]. */
  advantages: Tensor;
  /** log p of each label when the answer was sampled, [labels]. */
  before: Tensor;
  /** 1 where it is known; 0 where this pass computes it, [labels]. */
  known: Tensor;
  /** log p of each label in the reference, [labels]. */
  reference: Tensor;
  /** [labels] */
  weights: Tensor;
  /** How far a ratio may be from 1 before a label stops to count. */
  epsilon: number;
  /** Of the divergence from the reference. */
  beta: number;
}

interface PolicySaved {
  /** p / p before, [labels]. */
  ratio: Tensor;
  /** 1 where the clipped value counts, [labels]. */
  isClipped: Tensor;
  /** p of the reference / p, [labels]. */
  inverse: Tensor;
  divergence: Tensor;
}

/** Turns every difference that float32 has into at least 1. */
const STEEP = 1e30;

/**
 * A clipped policy gradient: per label, -min(ratio * advantage, clip(ratio) * advantage) + beta * ratio * divergence, where the
 * divergence is e^d - d - 1 with d = log p of the reference - log p. Its ratio makes its gradient that of the divergence of both
 * distributions. `losses` are -log p of each label, [labels]; the result is the weighted sum over all labels.
 */
export const policy: Operation<{ losses: Tensor }, PolicyOptions, PolicySaved> = {
  forward(graph, { losses }, { advantages, before, known, reference, weights, epsilon, beta }) {
    const scalar = (value: number) => graph.values('float32', [], [value]);
    const change = multiply(graph, known, unary(graph, 'Neg', add(graph, losses, before)));
    const ratio = unary(graph, 'Exp', change);
    const gain = multiply(graph, ratio, advantages);
    const clipped = multiply(graph, clip(graph, ratio, 1 - epsilon, 1 + epsilon), advantages);
    // min(a, b) = a - relu(a - b)
    const beyond = unary(graph, 'Relu', subtract(graph, gain, clipped));
    const apart = add(graph, reference, losses);
    const inverse = unary(graph, 'Exp', apart);
    const divergence = subtract(graph, subtract(graph, inverse, apart), scalar(1));
    const ofDivergence = scale(graph, multiply(graph, ratio, divergence), beta);
    const each = add(graph, subtract(graph, beyond, gain), ofDivergence);
    const isClipped = clip(graph, scale(graph, beyond, STEEP), 0, 1);
    const output = reshape(graph, reduce(graph, 'ReduceSum', multiply(graph, each, weights), 0), []);
    return { output, saved: { ratio, isClipped, inverse, divergence } };
  },
  backward(graph, { options: { advantages, weights, beta }, saved, gradient, addTo }) {
    const { ratio, isClipped, inverse, divergence } = saved;
    addTo('losses', partial => {
      const one = graph.values('float32', [], [1]);
      const ofGain = multiply(graph, advantages, subtract(graph, one, isClipped));
      const ofDivergence = scale(graph, subtract(graph, subtract(graph, inverse, one), divergence), beta);
      const slope = multiply(graph, ratio, add(graph, ofGain, ofDivergence));
      return sum(graph, partial, multiply(graph, multiply(graph, slope, weights), gradient));
    });
  },
};
