// The graph of one prefill or decode step: takes new tokens and the KV cache, returns logits and new cache rows. Its
// dimensions are dynamic, so one session serves every batch, prompt and cache. It does not know requests.
import {
  add,
  GraphBuilder,
  gatherRows,
  matMul,
  multiply,
  normalizeRows,
  reshape,
  rotate,
  type Tensor,
  unary,
} from '../graph/index.js';
import { toModulePath } from '../weights/index.js';
import { type CacheInputs, cachedAttention, toCacheRows } from './cached-attention.js';
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

/** The names of a layer's cache: `past` inputs [batch, kvHeads, past, headDim] and `fresh` outputs of `tokens` rows. */
export const cacheName = (when: 'past' | 'fresh', layer: number, part: 'k' | 'v') =>
  `${when}.${layer}.${part}`;

/**
 * Inputs: `ids` and `positions` int64 [batch, tokens], `at` int64 [rows] (indices into the flattened batch of the
 * tokens that need logits), `pastMask`, `newMask` and `lengths` (see `CacheInputs`), and the cache. With adapters, also
 * the matrices of all adapters in the batch, stacked along the rank: a [rank, in] and b [rank, out], and `rankScales`
 * float32 [batch, 1, rank]: an adapter's scaling where the line of the batch uses it, and 0 elsewhere.
 * Outputs: `logits` [rows, vocabulary], and the cache rows of the new tokens.
 */
export function buildDecodingGraph(
  config: ModelConfig,
  source: WeightSource,
  { adapters, context }: DecodingOptions,
): GraphBuilder {
  const graph = new GraphBuilder();
  const weights = source(graph);
  const norm = (x: Tensor, name: string) => normalizeRows(graph, x, weights.tensor(name), config.epsilon)[0];
  const project = projection(graph, config, weights, adapters);
  const attend = attention(graph, config, norm, project, context);

  let x: Tensor = gatherRows(
    graph,
    weights.tensor(EMBEDDING),
    graph.input('ids', 'int64', ['batch', 'tokens']),
  );
  for (let layer = 0; layer < config.layers; layer++) {
    const attended = attend(layer, norm(x, layerName(layer, 'input_layernorm.weight')));
    x = add(graph, x, project(layer, 'o_proj', attended));
    const normal = norm(x, layerName(layer, 'post_attention_layernorm.weight'));
    const gate = project(layer, 'gate_proj', normal);
    const active = multiply(graph, gate, unary(graph, 'Sigmoid', gate));
    const inner = multiply(graph, active, project(layer, 'up_proj', normal));
    x = add(graph, x, project(layer, 'down_proj', inner));
  }
  const lines = reshape(graph, x, ['batch*tokens', config.hidden]);
  const chosen = gatherRows(graph, lines, graph.input('at', 'int64', ['rows']));
  const output = weights.table(config.tied ? EMBEDDING : OUTPUT);
  graph.output('logits', output.multiply(graph, norm(chosen, FINAL_NORM)));
  return graph;
}

type Projection = (layer: number, module: Module, x: Tensor) => Tensor;

/** y = x Wᵀ + bias + ((x Aᵀ) ⊙ rankScales) B: each line of the batch keeps the columns of its own adapter. */
function projection(
  graph: GraphBuilder,
  config: ModelConfig,
  weights: Weights,
  adapters: boolean,
): Projection {
  const rankScales = adapters ? graph.input('rankScales', 'float32', ['batch', 1, 'rank']) : null;
  return (layer, module, x) => {
    const path = toModulePath({ layer, module });
    const product = weights.matrix(`${path}.weight`).multiply(graph, x);
    const based = hasBias(config, module) ? add(graph, product, weights.tensor(`${path}.bias`)) : product;
    if (!rankScales) return based;
    const [out, into] = moduleShape(config, module);
    const a = graph.input(adapterName(layer, module, 'a'), 'float32', ['rank', into]);
    const b = graph.input(adapterName(layer, module, 'b'), 'float32', ['rank', out]);
    const inner = matMul(graph, x, a, { transB: true }); // [batch, tokens, rank]
    return add(graph, based, matMul(graph, multiply(graph, inner, rankScales), b));
  };
}

function attention(
  graph: GraphBuilder,
  config: ModelConfig,
  norm: (x: Tensor, name: string) => Tensor,
  project: Projection,
  context: number,
): (layer: number, x: Tensor) => Tensor {
  const { heads, kvHeads, headDim, queryKeyNorm } = config;
  const rotation = rotationInputs(graph, config, context);
  const inputs = cacheInputs(graph);
  const prepare = (layer: number, part: 'q' | 'k', count: number, x: Tensor) => {
    const projected = project(layer, `${part}_proj`, x);
    const line = ['batch', 'tokens', count * headDim];
    if (!queryKeyNorm) return rotate(graph, projected, { ...rotation, heads: count });
    const split = reshape(graph, projected, ['batch', 'tokens', count, headDim]);
    const normal = reshape(graph, norm(split, layerName(layer, `self_attn.${part}_norm.weight`)), line);
    return rotate(graph, normal, { ...rotation, heads: count });
  };
  return (layer, x) => {
    const q = prepare(layer, 'q', heads, x);
    const fresh = {
      k: toCacheRows(graph, prepare(layer, 'k', kvHeads, x), config),
      v: toCacheRows(graph, project(layer, 'v_proj', x), config),
    };
    const pastOf = (part: 'k' | 'v') =>
      graph.input(cacheName('past', layer, part), 'float32', ['batch', kvHeads, 'past', headDim]);
    for (const part of ['k', 'v'] as const) graph.output(cacheName('fresh', layer, part), fresh[part]);
    return cachedAttention(graph, q, { k: pastOf('k'), v: pastOf('v') }, fresh, inputs, config);
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
