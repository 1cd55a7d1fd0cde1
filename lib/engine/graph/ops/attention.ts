// Operations that depend on a token's place in its line: attention and rotary position embedding.
import { type Dimension, type GraphBuilder, type Tensor, times } from '../graph.js';
import {
  add,
  emit,
  matMul,
  multiply,
  type Rotation,
  reduce,
  reshape,
  rotate,
  softmax,
  subtract,
  transpose,
} from '../primitives.js';
import { type Operation, sum } from '../tape.js';

type AttentionInputs = {
  /** [tokens, heads * dim] */
  q: Tensor;
  /** [tokens, kvHeads * dim] */
  k: Tensor;
  v: Tensor;
};

interface AttentionOptions {
  heads: number;
  kvHeads: number;
  dim: number;
  /** The factor of the scores. */
  scale: number;
  lines: Lines;
  /** Added to the scores: 0 where a query may attend, [lines, kv, group * length, length]. */
  mask: Tensor;
}

interface Saved {
  /** [lines, kv, group * length, dim] */
  queries: Tensor;
  /** [lines, kv, length, dim] */
  keys: Tensor;
  values: Tensor;
  /** [lines, kv, group * length, length] */
  weights: Tensor;
  mixed: Tensor;
}

/**
 * Grouped-query attention within lines of tokens. The queries of a group are stacked, [lines, kv, group * length, dim], so
 * keys and values are never repeated and their gradients add up without extra nodes.
 */
export const attention: Operation<AttentionInputs, AttentionOptions, Saved> = {
  forward(graph, { q, k, v }, options) {
    const queries = splitQueries(graph, q, options);
    const keys = splitKeys(graph, k, options);
    const values = splitKeys(graph, v, options);
    const scores = matMul(graph, queries, keys, { transB: true, alpha: options.scale });
    const weights = softmax(graph, add(graph, scores, options.mask));
    const mixed = matMul(graph, weights, values);
    return {
      output: joinQueries(graph, mixed, q, options),
      saved: { queries, keys, values, weights, mixed },
    };
  },
  backward(graph, { inputs: { q, k, v }, options, saved, gradient, addTo }) {
    const { queries, keys, values, weights, mixed } = saved;
    const alpha = options.scale;
    const byMixed = splitQueries(graph, gradient, options);
    // The softmax gradient needs only the row sums of gradient * output, not another pass over the weights.
    const rowSums = reduce(graph, 'ReduceSum', multiply(graph, byMixed, mixed), 3);
    const byWeights = matMul(graph, byMixed, values, { transB: true });
    const byScores = multiply(graph, weights, subtract(graph, byWeights, rowSums));
    addTo('q', partial =>
      sum(graph, partial, joinQueries(graph, matMul(graph, byScores, keys, { alpha }), q, options)),
    );
    addTo('k', partial =>
      sum(graph, partial, joinKeys(graph, matMul(graph, byScores, queries, { transA: true, alpha }), k)),
    );
    addTo('v', partial =>
      sum(graph, partial, joinKeys(graph, matMul(graph, weights, byMixed, { transA: true }), v)),
    );
  },
};

/** [tokens, heads * dim] -> [lines, kv, group * length, dim] */
function splitQueries(
  graph: GraphBuilder,
  a: Tensor,
  { heads, kvHeads, dim, lines }: AttentionOptions,
): Tensor {
  const group = heads / kvHeads;
  const parted = transpose(graph, intoLines(graph, a, lines, [kvHeads, group, dim]), [0, 2, 3, 1, 4]);
  return reshape(graph, parted, [lines.count, kvHeads, times(group, lines.length), dim]);
}

/** Undoes `splitQueries`; `like` has the shape of the result. */
function joinQueries(
  graph: GraphBuilder,
  a: Tensor,
  like: Tensor,
  { heads, kvHeads, dim, lines }: AttentionOptions,
): Tensor {
  const parted = reshape(graph, a, [lines.count, kvHeads, heads / kvHeads, lines.length, dim]);
  return reshape(graph, transpose(graph, parted, [0, 3, 1, 2, 4]), like.shape);
}

/** [tokens, kv * dim] -> [lines, kv, length, dim] */
function splitKeys(graph: GraphBuilder, a: Tensor, { kvHeads, dim, lines }: AttentionOptions): Tensor {
  return transpose(graph, intoLines(graph, a, lines, [kvHeads, dim]), [0, 2, 1, 3]);
}

/** Undoes `splitKeys`; `like` has the shape of the result. */
function joinKeys(graph: GraphBuilder, a: Tensor, like: Tensor): Tensor {
  return reshape(graph, transpose(graph, a, [0, 2, 1, 3]), like.shape);
}

interface RopeOptions extends Rotation {
  lines: Lines;
  /** -sin */
  minusSin: Tensor;
}

/** Rotary position embedding of `x`, [tokens, heads * dim]. Its gradient is the inverse rotation. */
export const rope: Operation<{ x: Tensor }, RopeOptions, null> = {
  forward: (graph, { x }, options) => ({ output: rotateLines(graph, x, options), saved: null }),
  backward(graph, { options, gradient, addTo }) {
    addTo('x', partial =>
      sum(graph, partial, rotateLines(graph, gradient, { ...options, sin: options.minusSin })),
    );
  },
};

function rotateLines(graph: GraphBuilder, x: Tensor, { lines, ...rotation }: RopeOptions): Tensor {
  const inLines = intoLines(graph, x, lines, [x.shape[1] as number]);
  return reshape(graph, rotate(graph, inLines, rotation), x.shape);
}

/** Tokens in lines of the same length. The other operations take them one after another, [tokens, width]. */
export interface Lines {
  /** int64 [2]: how many lines there are, and how long they are. */
  shape: Tensor;
  count: Dimension;
  length: Dimension;
}

/** [tokens, ...] -> [lines, length, ...rest] */
export function intoLines(
  graph: GraphBuilder,
  a: Tensor,
  { shape, count, length }: Lines,
  rest: readonly number[],
): Tensor {
  const parts = [shape, graph.values('int64', [rest.length], rest)];
  const target = emit(graph, 'Concat', parts, { dtype: shape.dtype, shape: [2 + rest.length] }, { axis: 0 });
  return emit(graph, 'Reshape', [a, target], { dtype: a.dtype, shape: [count, length, ...rest] });
}
