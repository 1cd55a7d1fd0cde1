// Attention of new tokens to the KV cache and to themselves. Both are scored separately and only the scores are
// concatenated, so the cache is read in place; keys and values are not repeated for the queries that share them.
import {
  add,
  concatLast,
  type GraphBuilder,
  matMul,
  reshape,
  softmax,
  splitLast,
  type Tensor,
  transpose,
} from '../graph/index.js';

export interface CacheInputs {
  /** 0 for used cache rows, a large negative number for unused ones, [batch, 1, 1, past]. */
  pastMask: Tensor;
  /** Which new tokens a query may attend to, [1, 1, tokens * group, tokens]; the heads of a token are adjacent. */
  newMask: Tensor;
  /** int64 [2]: past, tokens. */
  lengths: Tensor;
}

interface AttentionShape {
  heads: number;
  kvHeads: number;
  headDim: number;
}

interface KeyValues {
  /** [batch, kvHeads, length, headDim] */
  k: Tensor;
  v: Tensor;
}

/** `q` is [batch, tokens, heads * headDim], and so is the result. */
export function cachedAttention(
  graph: GraphBuilder,
  q: Tensor,
  past: KeyValues,
  fresh: KeyValues,
  { pastMask, newMask, lengths }: CacheInputs,
  { heads, kvHeads, headDim }: AttentionShape,
): Tensor {
  const perGroup = (heads / kvHeads) * headDim;
  const split = reshape(graph, q, ['batch', 'tokens', kvHeads, perGroup]);
  const turned = transpose(graph, split, [0, 2, 1, 3]); // [batch, kv, tokens, group * dim]
  const queries = reshape(graph, turned, ['batch', kvHeads, 'tokens*group', headDim]);
  const score = (keys: Tensor, mask: Tensor) =>
    add(graph, matMul(graph, queries, keys, { transB: true, alpha: 1 / Math.sqrt(headDim) }), mask);

  const onPast = score(past.k, pastMask); // [batch, kv, tokens * group, past]
  const onFresh = score(fresh.k, newMask); // [batch, kv, tokens * group, tokens]
  const weights = softmax(graph, concatLast(graph, onPast, onFresh));
  const [pastWeights, freshWeights] = splitLast(graph, weights, lengths, [onPast, onFresh]);
  const mixed = add(graph, matMul(graph, pastWeights, past.v), matMul(graph, freshWeights, fresh.v));

  const grouped = reshape(graph, mixed, ['batch', kvHeads, 'tokens', perGroup]);
  return reshape(graph, transpose(graph, grouped, [0, 2, 1, 3]), ['batch', 'tokens', heads * headDim]);
}

/** [batch, tokens, kvHeads * headDim] -> [batch, kvHeads, tokens, headDim] */
export function toCacheRows(graph: GraphBuilder, a: Tensor, { kvHeads, headDim }: AttentionShape): Tensor {
  return transpose(graph, reshape(graph, a, ['batch', 'tokens', kvHeads, headDim]), [0, 2, 1, 3]);
}
