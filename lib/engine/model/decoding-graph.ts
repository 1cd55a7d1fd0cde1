// The graph of one prefill or decode step: takes new tokens and the KV cache, returns logits and new cache rows. Its
// dimensions are dynamic, so one session serves every batch, prompt and cache. It does not know requests.
import {
  add,
  concat,
  concatLast,
  GraphBuilder,
  gatherRows,
  matMul,
  multiply,
  normalizeRows,
  normalizeSum,
  reshape,
  rotate,
  silu,
  softmax,
  split,
  splitEvenly,
  splitLast,
  type Tensor,
  times,
  transpose,
} from '../graph/index.js';
import { toModulePath } from '../weights/index.js';
import type { ModelConfig } from './config.js';
import { adapterName } from './lora-parameters.js';
import { ropeTables } from './rope-tables.js';
import {
  EMBEDDING,
  FINAL_NORM,
  hasBias,
  layerName,
  type Module,
  moduleShape,
  OUTPUT,
} from './weight-names.js';
import type { WeightSource, Weights } from './weight-source.js';

interface DecodingOptions {
  /** Adds inputs for adapters; without them, a step is faster. */
  adapters: boolean;
  /** The maximum length of a sequence, in tokens. */
  context: number;
}

/** The modules that share an input, and so are computed as one. */
export const MODULE_GROUPS: readonly (readonly Module[])[] = [
  ['q_proj', 'k_proj', 'v_proj'],
  ['o_proj'],
  ['gate_proj', 'up_proj'],
  ['down_proj'],
];

const [QUERY_KEY_VALUE, ATTENTION_OUTPUT, GATE_UP, DOWN] = MODULE_GROUPS as readonly [
  readonly Module[],
  readonly Module[],
  readonly Module[],
  readonly Module[],
];

/** The names of a layer's cache: `past` inputs [batch, kvHeads, past, headDim] and `fresh` outputs of `tokens` rows. */
export const cacheName = (when: 'past' | 'fresh', layer: number, part: 'k' | 'v') =>
  `${when}.${layer}.${part}`;

/** The name of the matrices A of a group's modules, side by side. */
export const groupName = (layer: number, [first]: readonly Module[]) => adapterName(layer, first!, 'a');

/** The name of the scales of the ranks, for a group of this many modules. */
export const rankScalesName = (modules: number) => `rankScales.${modules}`;

/**
 * Inputs: `ids` and `positions` int64 [batch, tokens], `at` int64 [rows] (indices into the flattened batch of the
 * tokens that need logits), `statesAt` (the same, of those whose hidden states are wanted), `pastMask`, `newMask` and
 * `lengths` (see `CacheInputs`), and the cache. With adapters, also the matrices of all adapters in the batch, stacked along
 * the rank: for each group of n modules a [in, n * rank], for each module b [rank, out], and `rankScales` of each n, float32
 * [batch, 1, n * rank]: an adapter's scaling where the line of the batch uses it, and 0 elsewhere.
 * Outputs: `logits` [rows, vocabulary], `states` [stateRows, hidden] after the last norm, and the cache rows of the new
 * tokens.
 */
export function buildDecodingGraph(
  config: ModelConfig,
  source: WeightSource,
  { adapters, context }: DecodingOptions,
): GraphBuilder {
  const graph = new GraphBuilder();
  const weights = source(graph);
  const { layers, epsilon, intermediate } = config;
  const project = projection(graph, config, weights, adapters);
  const attend = attention(graph, config, weights, context);
  const inputNorm = (layer: number) =>
    weights.tensor(layer < layers ? layerName(layer, 'input_layernorm.weight') : FINAL_NORM);

  const ids = graph.input('ids', 'int64', ['batch', 'tokens']);
  let x = gatherRows(graph, weights.tensor(EMBEDDING), ids);
  let [normal] = normalizeRows(graph, x, inputNorm(0), epsilon);
  const addAndNormalize = (update: Tensor, scale: Tensor) => {
    [normal, x] = normalizeSum(graph, x, update, scale, epsilon);
  };
  for (let layer = 0; layer < layers; layer++) {
    const attended = attend(layer, project(layer, QUERY_KEY_VALUE, normal));
    addAndNormalize(
      project(layer, ATTENTION_OUTPUT, attended),
      weights.tensor(layerName(layer, 'post_attention_layernorm.weight')),
    );
    const [gate, up] = splitEvenly(graph, project(layer, GATE_UP, normal), 2, intermediate);
    const inner = multiply(graph, silu(graph, gate!), up!);
    addAndNormalize(project(layer, DOWN, inner), inputNorm(layer + 1));
  }
  const lines = reshape(graph, normal, ['batch*tokens', config.hidden]);
  const chosen = gatherRows(graph, lines, graph.input('at', 'int64', ['rows']));
  const output = weights.table(config.tied ? EMBEDDING : OUTPUT);
  graph.output('logits', output.multiply(graph, chosen));
  graph.output('states', gatherRows(graph, lines, graph.input('statesAt', 'int64', ['stateRows'])));
  return graph;
}

/** The outputs of a group's modules, side by side. */
type Projection = (layer: number, group: readonly Module[], x: Tensor) => Tensor;

/** y = x Wᵀ + bias + ((x Aᵀ) ⊙ rankScales) B: each line of the batch keeps the columns of its own adapter. */
function projection(
  graph: GraphBuilder,
  config: ModelConfig,
  weights: Weights,
  adapters: boolean,
): Projection {
  const sizes = new Set(MODULE_GROUPS.map(({ length }) => length));
  const rankScales = new Map(
    [...(adapters ? sizes : [])].map(size => {
      const name = rankScalesName(size);
      return [size, graph.input(name, 'float32', ['batch', 1, times(size, 'rank')])];
    }),
  );
  return (layer, group, x) => {
    const paths = group.map(module => toModulePath({ layer, module }));
    const product = weights.joined(paths.map(path => `${path}.weight`)).multiply(graph, x);
    const biases = paths.map(path => `${path}.bias`);
    const based = hasBias(config, group[0]!)
      ? add(graph, product, concat(graph, biases.map(weights.tensor), 0))
      : product;
    const scales = rankScales.get(group.length);
    if (!scales) return based;
    const [, into] = moduleShape(config, group[0]!);
    const a = graph.input(groupName(layer, group), 'float32', [into, times(group.length, 'rank')]);
    const inner = multiply(graph, matMul(graph, x, a), scales);
    const parts = splitEvenly(graph, inner, group.length, 'rank');
    const updates = group.map((module, i) => {
      const [out] = moduleShape(config, module);
      const b = graph.input(adapterName(layer, module, 'b'), 'float32', ['rank', out]);
      return matMul(graph, parts[i]!, b);
    });
    return add(graph, based, concat(graph, updates, 2));
  };
}

function attention(
  graph: GraphBuilder,
  config: ModelConfig,
  weights: Weights,
  context: number,
): (layer: number, projected: Tensor) => Tensor {
  const { heads, kvHeads, headDim, queryKeyNorm, epsilon } = config;
  const widths = [heads, kvHeads, kvHeads].map(count => count * headDim);
  const rotation = rotationInputs(graph, config, context);
  const inputs = cacheInputs(graph);

  function normalize(layer: number, part: 'q' | 'k', x: Tensor, count: number): Tensor {
    const heads = reshape(graph, x, ['batch', 'tokens', count, headDim]);
    const scale = weights.tensor(layerName(layer, `self_attn.${part}_norm.weight`));
    return reshape(graph, normalizeRows(graph, heads, scale, epsilon)[0], x.shape);
  }

  function prepare(layer: number, part: 'q' | 'k', x: Tensor, count: number): Tensor {
    const normal = queryKeyNorm ? normalize(layer, part, x, count) : x;
    return rotate(graph, normal, { ...rotation, heads: count });
  }

  return (layer, projected) => {
    const [q, k, v] = split(graph, projected, 2, widths);
    const fresh = {
      k: toCacheRows(graph, prepare(layer, 'k', k!, kvHeads), config),
      v: toCacheRows(graph, v!, config),
    };
    const pastOf = (part: 'k' | 'v') =>
      graph.input(cacheName('past', layer, part), 'float32', ['batch', kvHeads, 'past', headDim]);
    for (const part of ['k', 'v'] as const) graph.output(cacheName('fresh', layer, part), fresh[part]);
    const past = { k: pastOf('k'), v: pastOf('v') };
    return cachedAttention(graph, prepare(layer, 'q', q!, heads), past, fresh, inputs, config);
  };
}

function cacheInputs(graph: GraphBuilder): CacheInputs {
  return {
    pastMask: graph.input('pastMask', 'float32', ['batch', 1, 1, 'past']),
    newMask: graph.input('newMask', 'float32', [1, 1, 'tokens*group', 'tokens']),
    lengths: graph.input('lengths', 'int64', [2]),
  };
}

function rotationInputs(graph: GraphBuilder, config: ModelConfig, context: number) {
  const { cos, sin } = ropeTables(config, context);
  const table = (name: string, values: Float32Array) =>
    graph.constant(name, 'float32', [context, config.headDim / 2], { bytes: new Uint8Array(values.buffer) });
  const positions = graph.input('positions', 'int64', ['batch', 'tokens']);
  return { positions, cos: table('rope_cos', cos), sin: table('rope_sin', sin) };
}

interface CacheInputs {
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

/**
 * Attention of new tokens to the KV cache and to themselves. Both are scored separately and only the scores are
 * concatenated, so the cache is read in place; keys and values are not repeated for the queries that share them.
 * `q` is [batch, tokens, heads * headDim], and so is the result.
 */
function cachedAttention(
  graph: GraphBuilder,
  q: Tensor,
  past: KeyValues,
  fresh: KeyValues,
  { pastMask, newMask, lengths }: CacheInputs,
  { heads, kvHeads, headDim }: AttentionShape,
): Tensor {
  const perGroup = (heads / kvHeads) * headDim;
  const parted = reshape(graph, q, ['batch', 'tokens', kvHeads, perGroup]);
  const turned = transpose(graph, parted, [0, 2, 1, 3]); // [batch, kv, tokens, group * dim]
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
function toCacheRows(graph: GraphBuilder, a: Tensor, { kvHeads, headDim }: AttentionShape): Tensor {
  return transpose(graph, reshape(graph, a, ['batch', 'tokens', kvHeads, headDim]), [0, 2, 1, 3]);
}
