// The graph of one prefill or decode step: takes new tokens and the KV cache, returns logits and new cache rows. Its
// dimensions are dynamic, so one session serves every batch, prompt and cache. It does not know requests.
import {
  add,
  concat,
  concatLast,
  convolve,
  emit,
  GraphBuilder,
  gatherRows,
  gelu,
  matMul,
  multiply,
  normalizeRows,
  normalizeSum,
  recall,
  reshape,
  rotate,
  scale,
  silu,
  softmax,
  split,
  splitEvenly,
  splitLast,
  stateDecay,
  type Tensor,
  times,
  transpose,
  unary,
} from '../graph/index.js';
import { type Module, type ModuleGroup, toModulePath } from '../weights/index.js';
import { cacheName, type LayerState, stateName, statesOf } from './cache-shape.js';
import type { DeltaMixer, ModelConfig } from './config.js';
import { joinAll } from './flat-parameters.js';
import { computeLayers, type DeltaParts, type Heads, SMALLEST_SQUARE, windowsOf } from './layers.js';
import { adapterName } from './lora-parameters.js';
import { ropeTables } from './rope-tables.js';
import {
  convolutionName,
  deltaName,
  layerModules,
  moduleParts,
  moduleShape,
  outputName,
} from './weight-names.js';
import type { WeightSource, Weights } from './weight-source.js';

interface DecodingOptions {
  /** Adds inputs for adapters; without them, a step is faster. */
  adapters: boolean;
  /** The maximum length of a sequence, in tokens. */
  context: number;
  /** The cache stays where it is computed, and gets its new rows there. Default: false. */
  keepsCache?: boolean;
}

/** Where new rows go in a cache that stays, int64 [batch, kvHeads, tokens, 3]: slot, head and row. */
export const ROWS_AT = 'rowsAt';

/** How many of the probabilities of each draw are read from a device, int64 [1]: all, or few if nobody draws. */
export const ODDS_READ = 'oddsRead';

/** The new rows of such a cache, for others to keep: those of all keys and values, [batch, kvHeads, tokens, headDim], in one tensor. */
export const FRESH_ROWS = 'freshRows';

/** The name of the matrices A of a group's modules, side by side. */
export const groupName = (layer: number, [first]: readonly Module[]) => adapterName(layer, first!, 'a');

/** How many modules the groups of a model's layers have. */
export function groupSizes(config: ModelConfig): number[] {
  const layers = Array.from({ length: config.layers }, (_, layer) => layerModules(config, layer));
  return [...new Set(layers.flatMap(groups => Object.values(groups).map(({ length }) => length)))];
}

/** The name of the scales of the ranks, for a group of this many modules. */
export const rankScalesName = (modules: number) => `rankScales.${modules}`;

/**
 * Inputs: `ids` and `positions` int64 [batch, tokens], `at` int64 [rows] (indices into the flattened batch of the
 * tokens that need logits), `drawnAt` int64 [draws] (indices of those rows whose tokens are drawn at random) with `sharpness`
 * float32 [draws, 1] (1 / temperature), `statesAt` (as `at`, of those whose hidden states are wanted), for each window of the layers a
 * `pastMask` and a `newMask`, `lengths` (see `CacheInputs`), and the cache: keys and values, and the states of layers that do
 * not attend. With adapters, also the matrices of all adapters in the batch, stacked along the rank: for each group of n
 * modules a [in, n * rank], for each module b [rank, out], and `rankScales` of each n, float32 [batch, 1, n * rank]: an
 * adapter's scaling where the line of the batch uses it, and 0 elsewhere.
 * Outputs: `logits` [rows, vocabulary], `odds` [draws, vocabulary] (probabilities of the tokens), `states` [stateRows, hidden] after the last norm, and the cache rows of the new
 * tokens. With a cache that stays, which must have room for them: `FRESH_ROWS` and the cache after the step, from `ROWS_AT`, and
 * `ODDS_READ` of the probabilities.
 */
export function buildDecodingGraph(
  config: ModelConfig,
  source: WeightSource,
  { adapters, context, keepsCache = false }: DecodingOptions,
): GraphBuilder {
  const graph = new GraphBuilder();
  const weights = source(graph);
  const { epsilon } = config;
  const project = projection(graph, config, weights, adapters);
  const positions = graph.input('positions', 'int64', ['batch', 'tokens']);
  const tables = ropeTables(graph, config, context, ['cos', 'sin']);
  const cache = keepsCache ? cacheThere(graph, config) : cacheHere(graph);
  const attend = attention(graph, config, cache);
  const ids = graph.input('ids', 'int64', ['batch', 'tokens']);
  let stream: Tensor;
  let update: Tensor | null = null;
  // The runtime adds the ones once.
  const scaleOf = (name: string, addsOne = config.normsAddOne): Tensor => {
    const stored = weights.tensor(name);
    return addsOne ? add(graph, stored, graph.values('float32', [1], [1])) : stored;
  };
  const normalize = (name: string | undefined): Tensor => {
    if (!name) {
      if (update) stream = add(graph, stream, update);
      return stream;
    }
    if (!update) return normalizeRows(graph, stream, scaleOf(name), epsilon)[0];
    const [normal, sum] = normalizeSum(graph, stream, update, scaleOf(name), epsilon);
    stream = sum;
    return normal;
  };
  computeLayers(config, {
    embed(table, factor) {
      stream = scale(graph, gatherRows(graph, weights.tensor(table), ids), factor);
    },
    normalize,
    scale: (x, factor) => scale(graph, x, factor),
    normalizeUpdate: (x, name) => normalizeRows(graph, x, scaleOf(name), epsilon)[0],
    // Added by the norm that comes next.
    add(next) {
      update = next;
    },
    project,
    normalizeHeads(x, heads, name, addsOne) {
      const parted = intoHeads(graph, x, heads);
      return reshape(graph, normalizeRows(graph, parted, scaleOf(name, addsOne), epsilon)[0], x.shape);
    },
    sigmoid: x => unary(graph, 'Sigmoid', x),
    toLength: (x, heads, length) =>
      reshape(graph, unitRows(graph, intoHeads(graph, x, heads), length), x.shape),
    decay(layer, x) {
      const [bias, rate] = [
        weights.tensor(deltaName(layer, 'dt_bias')),
        weights.tensor(deltaName(layer, 'A_log')),
      ];
      return stateDecay.forward(graph, { x, bias, rate }, null).output;
    },
    recall: (layer, parts, mixer) => recallCached(graph, config, cache, layer, parts, mixer),
    rotate: (x, heads, rope) => rotate(graph, x, { positions, ...tables.get(rope)!, heads }),
    attend,
    split(x, widths, heads = 1) {
      const parts = split(graph, intoHeads(graph, x, heads), 3, widths);
      return parts.map((part, i) => reshape(graph, part, ['batch', 'tokens', heads * widths[i]!]));
    },
    multiply: (a, b) => multiply(graph, a, b),
    convolve: (layer, x) => cachedConvolution(graph, config, weights, cache, layer, x),
    activate: (gate, up) => multiply(graph, ACTIVATIONS[config.activation](graph, gate), up),
  });
  cache.finish();
  const lines = reshape(graph, normalize(config.finalNorm), ['batch*tokens', config.hidden]);
  const chosen = gatherRows(graph, lines, graph.input('at', 'int64', ['rows']));
  const states = scale(graph, chosen, config.scales.logits);
  const table = outputName(config);
  // Where its kernels do not multiply with a transposed matrix, the runtime transposes it once instead of in each step.
  const logits = keepsCache
    ? matMul(graph, states, transpose(graph, weights.tensor(table), [1, 0]))
    : weights.table(table).multiply(graph, states);
  graph.output('logits', logits);
  const drawn = gatherRows(graph, logits, graph.input('drawnAt', 'int64', ['draws']));
  const sharpness = graph.input('sharpness', 'float32', ['draws', 1]);
  const odds = softmax(graph, multiply(graph, drawn, sharpness));
  graph.output('odds', keepsCache ? firstColumns(graph, odds, ODDS_READ) : odds);
  graph.output('states', gatherRows(graph, lines, graph.input('statesAt', 'int64', ['stateRows'])));
  return graph;
}

const ACTIVATIONS = { silu, gelu };

/** As many columns as an input says. */
function firstColumns(graph: GraphBuilder, a: Tensor, input: string): Tensor {
  const [from, axis] = [0, 1].map(value => graph.values('int64', [1], [value]));
  const to = graph.input(input, 'int64', [1]);
  return emit(graph, 'Slice', [a, from!, to, axis!], { dtype: a.dtype, shape: [a.shape[0]!, input] });
}

/** y = x Wᵀ + bias + ((x Aᵀ) ⊙ rankScales) B: each line of the batch keeps the columns of its own adapter. */
function projection(
  graph: GraphBuilder,
  config: ModelConfig,
  weights: Weights,
  adapters: boolean,
): (layer: number, group: ModuleGroup, x: Tensor) => readonly Tensor[] {
  const rankScales = new Map(
    (adapters ? groupSizes(config) : []).map(size => {
      const name = rankScalesName(size);
      return [size, graph.input(name, 'float32', ['batch', 1, times(size, 'rank')])];
    }),
  );

  function update(layer: number, group: readonly Module[], x: Tensor, scales: Tensor): Tensor {
    const [, into] = moduleShape(config, group[0]!);
    const a = graph.input(groupName(layer, group), 'float32', [into, times(group.length, 'rank')]);
    const inner = multiply(graph, matMul(graph, x, a), scales);
    const parts = splitEvenly(graph, inner, group.length, 'rank');
    const updates = group.map((module, i) => {
      const [out] = moduleShape(config, module);
      const b = graph.input(adapterName(layer, module, 'b'), 'float32', ['rank', out]);
      return matMul(graph, parts[i]!, b);
    });
    return concat(graph, updates, 2);
  }

  return (layer, name, x) => {
    const group = layerModules(config, layer)[name];
    const paths = group.map(module => toModulePath({ layer, module }));
    let sum = weights.joined(paths.map(path => `${path}.weight`)).multiply(graph, x);
    const biases = paths.map(path => `${path}.bias`);
    if (config.biases.includes(group[0]!))
      sum = add(graph, sum, concat(graph, biases.map(weights.tensor), 0));
    const scales = rankScales.get(group.length);
    if (scales) sum = add(graph, sum, update(layer, group, x, scales));
    const widths = group.flatMap(module => moduleParts(config, module));
    return split(graph, sum, 2, widths);
  };
}

interface CacheOutputs {
  /** Gives out the new keys or values of a layer. */
  add(layer: number, part: 'k' | 'v', past: Tensor, fresh: Tensor): void;
  outputState(state: LayerState, after: Tensor): void;
  finish(): void;
}

function cacheHere(graph: GraphBuilder): CacheOutputs {
  return {
    add: (layer, part, _past, fresh) => graph.output(cacheName('fresh', layer, part), fresh),
    outputState: (state, after) => graph.output(stateName('fresh', state), after),
    finish() {},
  };
}

function cacheThere(graph: GraphBuilder, { kvHeads }: ModelConfig): CacheOutputs {
  const at = graph.input(ROWS_AT, 'int64', ['batch', kvHeads, 'tokens', 3]);
  const all: Tensor[] = [];
  return {
    add(layer, part, past, fresh) {
      graph.output(cacheName('present', layer, part), emit(graph, 'ScatterND', [past, at, fresh], past));
      all.push(fresh);
    },
    outputState: (state, after) => graph.output(stateName('present', state), after),
    // One tensor is read faster than many.
    finish: () => void (all.length > 0 && graph.output(FRESH_ROWS, joinAll(graph, all))),
  };
}

function attention(
  graph: GraphBuilder,
  config: ModelConfig,
  cache: CacheOutputs,
): (layer: number, heads: Heads, window: number | null) => Tensor {
  const { kvHeads, headDim } = config;
  const inputs = cacheInputs(graph, config);
  return (layer, { q, k, v }, window) => {
    const fresh = { k: toCacheRows(graph, k, config), v: toCacheRows(graph, v, config) };
    const pastOf = (part: 'k' | 'v') =>
      graph.input(cacheName('past', layer, part), 'float32', ['batch', kvHeads, 'past', headDim]);
    const past = { k: pastOf('k'), v: pastOf('v') };
    for (const part of ['k', 'v'] as const) cache.add(layer, part, past[part], fresh[part]);
    return cachedAttention(graph, q, past, fresh, inputs.get(window)!, config);
  };
}

/** The convolution of new tokens and those before, which are in the state: [batch, tokens, channels]. */
function cachedConvolution(
  graph: GraphBuilder,
  config: ModelConfig,
  weights: Weights,
  cache: CacheOutputs,
  layer: number,
  x: Tensor,
): Tensor {
  const [state] = statesOf(config, layer) as [LayerState];
  const past = graph.input(stateName('past', state), 'float32', ['batch', ...state.shape]);
  const weight = weights.tensor(convolutionName(config, layer));
  const [mixed, next] = convolve(graph, transpose(graph, x, [0, 2, 1]), { weight, past });
  cache.outputState(state, next);
  return transpose(graph, mixed, [0, 2, 1]);
}

/** What new tokens read, and the state after them. */
function recallCached(
  graph: GraphBuilder,
  config: ModelConfig,
  cache: CacheOutputs,
  layer: number,
  parts: DeltaParts,
  { heads, keyHeads }: DeltaMixer,
): Tensor {
  const state = statesOf(config, layer).find(({ part }) => part === 'delta')!;
  const past = graph.input(stateName('past', state), 'float32', ['batch', ...state.shape]);
  const [read, next] = recall(graph, { ...parts, past }, { heads, keyHeads });
  cache.outputState(state, next);
  return read;
}

/** [batch, tokens, heads * dim] -> [batch, tokens, heads, dim] */
function intoHeads(graph: GraphBuilder, x: Tensor, heads: number): Tensor {
  return reshape(graph, x, ['batch', 'tokens', heads, (x.shape[2] as number) / heads]);
}

/** Each row divided by its length, times a number. */
function unitRows(graph: GraphBuilder, x: Tensor, length: number): Tensor {
  const width = x.shape.at(-1) as number;
  const scale = graph.values('float32', [width], Array<number>(width).fill(length / Math.sqrt(width)));
  return normalizeRows(graph, x, scale, SMALLEST_SQUARE / width)[0];
}

/** The name of a mask, for layers that attend to a window, or to everything. */
export const maskName = (of: 'past' | 'new', window: number | null) =>
  window === null ? `${of}Mask` : `${of}Mask.${window}`;

/** By window. */
function cacheInputs(graph: GraphBuilder, config: ModelConfig): ReadonlyMap<number | null, CacheInputs> {
  const masks = windowsOf(config).map(window => {
    const pastRows = window === null ? 1 : 'tokens*group';
    const past = graph.input(maskName('past', window), 'float32', ['batch', 1, pastRows, 'past']);
    const fresh = graph.input(maskName('new', window), 'float32', [1, 1, 'tokens*group', 'tokens']);
    return [window, { pastMask: past, newMask: fresh }] as const;
  });
  const lengths = graph.input('lengths', 'int64', [2]);
  return new Map(masks.map(([window, mask]) => [window, { ...mask, lengths }]));
}

interface CacheInputs {
  /**
   * 0 for used cache rows within the window, a large negative number for others, [batch, 1, tokens * group, past]; without
   * a window the same for all queries, [batch, 1, 1, past].
   */
  pastMask: Tensor;
  /** Which new tokens a query may attend to, [1, 1, tokens * group, tokens]; the heads of a token are adjacent. */
  newMask: Tensor;
  /** int64 [2]: past, tokens. */
  lengths: Tensor;
}

type AttentionShape = Pick<ModelConfig, 'heads' | 'kvHeads' | 'headDim' | 'scales'>;

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
  { heads, kvHeads, headDim, scales }: AttentionShape,
): Tensor {
  const perGroup = (heads / kvHeads) * headDim;
  const parted = reshape(graph, q, ['batch', 'tokens', kvHeads, perGroup]);
  const turned = transpose(graph, parted, [0, 2, 1, 3]); // [batch, kv, tokens, group * dim]
  const queries = reshape(graph, turned, ['batch', kvHeads, 'tokens*group', headDim]);
  const score = (keys: Tensor, mask: Tensor) =>
    add(graph, matMul(graph, queries, keys, { transB: true, alpha: scales.scores }), mask);

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
