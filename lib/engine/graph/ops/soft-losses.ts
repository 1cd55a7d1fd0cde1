// The losses of labels with a teacher's distribution: of the label itself, and the distance from the teacher.
import type { Dimension, GraphBuilder, Tensor } from '../graph.js';
import type { OutputTable } from '../matrix.js';
import {
  add,
  concat,
  gatherColumns,
  multiply,
  reduce,
  replaceColumns,
  reshape,
  scale,
  slice,
  softmax,
  subtract,
} from '../primitives.js';
import { type BranchingOperation, sum } from '../tape.js';
import { logSum } from './losses.js';

interface SoftOptions {
  output: OutputTable;
  /** int64 [rows] */
  labels: Tensor;
  /** Other tokens that the teacher names, or any that only fill a row, int64 [rows, n]. */
  alternatives: Tensor;
  /** What the teacher expects of the label, of each alternative, and of all other tokens together, [rows, n + 2]. */
  shares: Tensor;
  /** 0, or `FILLING` for alternatives that only fill a row, [rows, n + 2]. */
  filling: Tensor;
  /** Σ share * log share, [rows]. It is 0 where no distribution is known, and all shares are. */
  certainty: Tensor;
}

interface SoftSaved {
  /** int64 [rows, n + 1] */
  named: Tensor;
  /** The softmax over all other tokens, [rows, vocabulary]. */
  others: Tensor;
  /** The softmax over the named tokens, and all others as one, [rows, n + 2]. */
  buckets: Tensor;
}

/** Added to a logit, it leaves nothing of its probability. */
export const FILLING = -1e30;

/**
 * Two losses of each row, with q = softmax(hidden tableᵀ): -log q of the label, and the Kullback-Leibler divergence
 * Σ p * log(p / q) over the tokens that a teacher names and one bucket for all others. What is left for those is never computed
 * as 1 - Σ q, which float32 would round to 0 for a confident model.
 */
export const softCrossEntropy: BranchingOperation<{ hidden: Tensor }, SoftOptions, SoftSaved> = {
  forward(graph, { hidden }, { output, labels, alternatives, shares, filling, certainty }) {
    const rows = hidden.shape[0]!;
    const logits = output.multiply(graph, hidden);
    const named = concat(graph, [reshape(graph, labels, [rows, 1]), alternatives], 1);
    const nothing = constantLike(graph, slice(graph, filling, 1, 0, named.shape[1] as number), FILLING);
    const left = replaceColumns(graph, logits, named, nothing);
    const others = softmax(graph, left);
    const ofNamed = gatherColumns(graph, logits, named);
    const all = add(graph, concat(graph, [ofNamed, logSum(graph, left, others)], 1), filling);
    const buckets = softmax(graph, all);
    // -log q of each bucket
    const each = subtract(graph, logSum(graph, all, buckets), all);
    const losses = reshape(graph, slice(graph, each, 1, 0, 1), [rows]);
    const crossed = reshape(graph, reduce(graph, 'ReduceSum', multiply(graph, shares, each), 1), [rows]);
    return { outputs: [losses, add(graph, crossed, certainty)], saved: { named, others, buckets } };
  },
  backward(graph, { inputs: { hidden }, options: { output, shares }, saved, gradients, addTo }) {
    const { named, others, buckets } = saved;
    const rows = hidden.shape[0]!;
    const count = named.shape[1] as number;
    const [ofLosses, ofDivergences] = gradients.map(given => reshape(graph, given!, [rows, 1]));
    // Of the logits of all buckets: how much likelier each is than wanted.
    const isLabel = graph.values('float32', [1, count + 1], [1, ...Array<number>(count).fill(0)]);
    const wanted = add(graph, multiply(graph, isLabel, ofLosses!), multiply(graph, shares, ofDivergences!));
    const slope = subtract(graph, multiply(graph, buckets, reduce(graph, 'ReduceSum', wanted, 1)), wanted);
    const slopeOf = (bucket: number) => slice(graph, slope, 1, bucket, bucket + 1);
    addTo('hidden', partial => {
      let total = multiply(graph, output.mean(graph, others), slopeOf(count));
      for (let i = 0; i < count; i++) {
        const tokens = columnOf(graph, named, i, rows);
        total = add(graph, total, multiply(graph, output.rowsOf(graph, tokens), slopeOf(i)));
      }
      return sum(graph, partial, total);
    });
  },
};

function columnOf(graph: GraphBuilder, matrix: Tensor, column: number, rows: Dimension): Tensor {
  return reshape(graph, slice(graph, matrix, 1, column, column + 1), [rows]);
}

/** In the shape of a tensor of finite numbers. */
function constantLike(graph: GraphBuilder, like: Tensor, value: number): Tensor {
  return add(graph, scale(graph, like, 0), graph.values('float32', [], [value]));
}
