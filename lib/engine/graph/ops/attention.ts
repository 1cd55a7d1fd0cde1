// Causal grouped-query attention, in blocks of queries: a block sees only the keys up to its own end, which skips part
// of the masked half. The queries of a group are stacked, [batch, kv, group * queries, dim], so keys and values are
// never repeated and their gradients add up without extra nodes.
import type { GraphBuilder } from '../graph.js';
import {
  add,
  concat,
  matMul,
  multiply,
  padEnd,
  reduce,
  reshape,
  slice,
  softmax,
  subtract,
  transpose,
} from '../primitives.js';
import { type Operation, sum } from '../tape.js';
import type { Tensor } from '../tensor.js';

type AttentionInputs = {
  /** [batch * sequence, heads * dim] */
  q: Tensor;
  /** [batch * sequence, kvHeads * dim] */
  k: Tensor;
  v: Tensor;
};

interface AttentionOptions {
  batch: number;
  sequence: number;
  heads: number;
  kvHeads: number;
  dim: number;
  /** Added to the scores: 0 where a query may attend, [batch, 1, 1, sequence, sequence]. */
  mask: Tensor;
  /** The number of query blocks. */
  blocks: number;
}

interface Block {
  from: number;
  to: number;
  q: Tensor;
  k: Tensor;
  v: Tensor;
  weights: Tensor;
  output: Tensor;
}

export const attention: Operation<AttentionInputs, AttentionOptions, Block[]> = {
  name: 'attention',
  forward(graph, { q, k, v }, options) {
    const queries = splitQueries(graph, q, options);
    const keys = splitKeys(graph, k, options);
    const values = splitKeys(graph, v, options);
    const saved = ranges(options).map(([from, to]) => {
      const block = {
        from,
        to,
        q: queriesOf(graph, queries, from, to, options),
        k: slice(graph, keys, 2, 0, to),
        v: slice(graph, values, 2, 0, to),
      };
      const weights = attentionWeights(graph, block, options);
      return { ...block, weights, output: matMul(graph, weights, block.v) };
    });
    const parts = saved.map(({ output, from, to }) => unstack(graph, output, to - from, options));
    return { output: joinQueries(graph, concat(graph, parts, 3), options), saved };
  },
  backward(graph, { options, saved, gradient, addTo }) {
    const { sequence, dim } = options;
    const gradients = splitQueries(graph, gradient, options);
    const parts = saved.map(block =>
      blockGradients(graph, block, queriesOf(graph, gradients, block.from, block.to, options), dim),
    );
    const whole = (name: 'k' | 'v') =>
      parts
        .map((part, i) => padEnd(graph, part[name], 2, sequence - saved[i]!.to))
        .reduce((total, part) => add(graph, total, part));
    const queryParts = parts.map(({ q }, i) => unstack(graph, q, saved[i]!.to - saved[i]!.from, options));
    addTo('q', partial => sum(graph, partial, joinQueries(graph, concat(graph, queryParts, 3), options)));
    addTo('k', partial => sum(graph, partial, joinKeys(graph, whole('k'), options)));
    addTo('v', partial => sum(graph, partial, joinKeys(graph, whole('v'), options)));
  },
};

function attentionWeights(
  graph: GraphBuilder,
  { q, k, from, to }: { q: Tensor; k: Tensor; from: number; to: number },
  { mask, batch, heads, kvHeads, dim }: AttentionOptions,
): Tensor {
  const scores = matMul(graph, q, k, { transB: true, alpha: 1 / Math.sqrt(dim) }); // [batch, kv, group * n, to]
  const grouped = reshape(graph, scores, [batch, kvHeads, heads / kvHeads, to - from, to]);
  const blockMask = slice(graph, slice(graph, mask, 3, from, to), 4, 0, to);
  return reshape(graph, softmax(graph, add(graph, grouped, blockMask)), scores.shape);
}

/** The softmax gradient needs only the row sums of gradient * output, not another pass over the weights. */
function blockGradients(
  graph: GraphBuilder,
  { q, k, v, weights, output }: Block,
  gradient: Tensor,
  dim: number,
) {
  const alpha = 1 / Math.sqrt(dim);
  const rowSums = reduce(graph, 'ReduceSum', multiply(graph, gradient, output), 3);
  const byWeights = matMul(graph, gradient, v, { transB: true });
  const byScores = multiply(graph, weights, subtract(graph, byWeights, rowSums));
  return {
    q: matMul(graph, byScores, k, { alpha }),
    k: matMul(graph, byScores, q, { transA: true, alpha }),
    v: matMul(graph, weights, gradient, { transA: true }),
  };
}

function ranges({ sequence, blocks }: AttentionOptions): [number, number][] {
  const count = Math.min(blocks, sequence);
  return Array.from({ length: count }, (_, i) => [
    Math.floor((i * sequence) / count),
    Math.floor(((i + 1) * sequence) / count),
  ]);
}

/** [tokens, heads * dim] -> [batch, kv, group, sequence, dim] */
function splitQueries(
  graph: GraphBuilder,
  a: Tensor,
  { batch, sequence, heads, kvHeads, dim }: AttentionOptions,
): Tensor {
  return transpose(
    graph,
    reshape(graph, a, [batch, sequence, kvHeads, heads / kvHeads, dim]),
    [0, 2, 3, 1, 4],
  );
}

/** [batch, kv, group, sequence, dim] -> [tokens, heads * dim] */
function joinQueries(
  graph: GraphBuilder,
  a: Tensor,
  { batch, sequence, heads, dim }: AttentionOptions,
): Tensor {
  return reshape(graph, transpose(graph, a, [0, 3, 1, 2, 4]), [batch * sequence, heads * dim]);
}

/** [tokens, kv * dim] -> [batch, kv, sequence, dim] */
function splitKeys(
  graph: GraphBuilder,
  a: Tensor,
  { batch, sequence, kvHeads, dim }: AttentionOptions,
): Tensor {
  return transpose(graph, reshape(graph, a, [batch, sequence, kvHeads, dim]), [0, 2, 1, 3]);
}

/** [batch, kv, sequence, dim] -> [tokens, kv * dim] */
function joinKeys(
  graph: GraphBuilder,
  a: Tensor,
  { batch, sequence, kvHeads, dim }: AttentionOptions,
): Tensor {
  return reshape(graph, transpose(graph, a, [0, 2, 1, 3]), [batch * sequence, kvHeads * dim]);
}

/** Queries `from` to `to` of every head, with the heads of a group stacked. */
function queriesOf(
  graph: GraphBuilder,
  queries: Tensor,
  from: number,
  to: number,
  { batch, heads, kvHeads, dim }: AttentionOptions,
): Tensor {
  const part = slice(graph, queries, 3, from, to);
  return reshape(graph, part, [batch, kvHeads, (heads / kvHeads) * (to - from), dim]);
}

function unstack(
  graph: GraphBuilder,
  a: Tensor,
  queries: number,
  { batch, heads, kvHeads, dim }: AttentionOptions,
): Tensor {
  return reshape(graph, a, [batch, kvHeads, heads / kvHeads, queries, dim]);
}
