// Attention of new tokens to a cache and to themselves. Cache and new tokens are scored apart and joined only as
// scores, so the cache is read in place, never copied; keys and values are not repeated for the queries that share them.
import {
  add,
  type Dimension,
  type DynamicTensor,
  type GraphBuilder,
  join,
  matMul,
  regroup,
  softmax,
  transpose,
  unjoin,
} from '../graph/index.js';

export interface CacheInputs {
  /** Which cached rows hold something: 0 or a large negative, [batch, 1, 1, past]. */
  pastMask: DynamicTensor;
  /** Which new tokens a query may look at, [1, 1, tokens * group, tokens]; the heads of a token lie together. */
  newMask: DynamicTensor;
  /** int64 [2]: past, tokens. */
  lengths: DynamicTensor;
}

export interface AttentionShape {
  heads: number;
  kvHeads: number;
  headDim: number;
}

export interface KeyValues {
  /** [batch, kvHeads, length, headDim] */
  k: DynamicTensor;
  v: DynamicTensor;
}

/** `q` is [batch, tokens, heads * headDim], and so is the result. */
export function cachedAttention(
  graph: GraphBuilder<Dimension>,
  q: DynamicTensor,
  past: KeyValues,
  fresh: KeyValues,
  { pastMask, newMask, lengths }: CacheInputs,
  { heads, kvHeads, headDim }: AttentionShape,
): DynamicTensor {
  const perGroup = (heads / kvHeads) * headDim;
  const split = regroup(graph, q, ['batch', 'tokens', kvHeads, perGroup]);
  const turned = transpose(graph, split, [0, 2, 1, 3]); // [batch, kv, tokens, group * dim]
  const queries = regroup(graph, turned, ['batch', kvHeads, 'tokens*group', headDim]);
  const score = (keys: DynamicTensor, mask: DynamicTensor) =>
    add(graph, matMul(graph, queries, keys, { transB: true, alpha: 1 / Math.sqrt(headDim) }), mask);

  const onPast = score(past.k, pastMask); // [batch, kv, tokens * group, past]
  const onFresh = score(fresh.k, newMask); // [batch, kv, tokens * group, tokens]
  const weights = softmax(graph, join(graph, onPast, onFresh));
  const [pastWeights, freshWeights] = unjoin(graph, weights, lengths, [onPast, onFresh]);
  const mixed = add(graph, matMul(graph, pastWeights, past.v), matMul(graph, freshWeights, fresh.v));

  const grouped = regroup(graph, mixed, ['batch', kvHeads, 'tokens', perGroup]);
  return regroup(graph, transpose(graph, grouped, [0, 2, 1, 3]), ['batch', 'tokens', heads * headDim]);
}

/** [batch, tokens, kvHeads * headDim] -> [batch, kvHeads, tokens, headDim] */
export function toCacheRows(
  graph: GraphBuilder<Dimension>,
  a: DynamicTensor,
  { kvHeads, headDim }: AttentionShape,
): DynamicTensor {
  return transpose(graph, regroup(graph, a, ['batch', 'tokens', kvHeads, headDim]), [0, 2, 1, 3]);
}
