// Builds the graph of a training step: takes token ids, returns the loss and the gradients of the adapter.
import {
  add,
  cast,
  chunksOf,
  clip,
  GraphBuilder,
  repeat,
  reshape,
  scale,
  subtract,
  Tape,
  type Tensor,
  unary,
} from '../graph/index.js';
import type { Module } from '../weights/index.js';
import type { ModelConfig } from './config.js';
import { gradientOutputs, type ParameterForm, parameterInputs } from './flat-parameters.js';
import { type LayerRange, windowsOf } from './layers.js';
import {
  adapterName,
  dropoutInputs,
  keepFactors,
  type LoraShape,
  loraParameters,
  type Parameter,
} from './lora-parameters.js';
import { firstPosition } from './rope-tables.js';
import { type AdapterLookup, buildTrainingLayers, finalStates } from './training-layers.js';
import { buildLoss, type TrainingGoal } from './training-loss.js';
import { outputName, weightShapes } from './weight-names.js';
import { float32Weights, type WeightSource, type Weights } from './weight-source.js';

export interface TrainingGraph<P = Parameter> {
  graph: GraphBuilder;
  parameters: readonly P[];
}

/** A weight of the model, in training from scratch. */
interface WeightParameter {
  name: string;
  shape: readonly number[];
}

interface TrainingGraphOptions extends TrainingGoal {
  withGradients?: boolean;
  dropout?: number;
  form?: ParameterForm;
}

/**
 * Inputs, for as many lines of tokens as a pass has: `ids` int64 [tokens], `lines` int64 [2] (how many there are, and
 * their length), `positions` int64 [lines, length], `rows` float32 [lines, length] (which row of data a token belongs
 * to), `at` int64 [labels] (the token that predicts each label), `labels` int64 [labels], `weights` float32 [labels],
 * the parameters, and with dropout the masks of `dropoutInputs`. No line may have more than `longest` tokens.
 * To compare answers also `sides` float32 [pairs, labels], `reference` and `pairWeights` float32 [pairs], as `preference`
 * has them. To learn from rewards also `advantages`, `before`, `known`, `reference` and `answerWeights` float32 [labels], as
 * `policy` has them. To learn a teacher's distribution also `alternatives`, `shares`, `filling` and `certainty`, as
 * `softCrossEntropy` has them, and `softWeights` float32 [labels]; then `divergences` is an output, too.
 * Outputs: `loss`, the loss of each label before its weight, and one gradient per parameter, or all in one.
 */
export function buildTrainingGraph(
  config: ModelConfig,
  source: WeightSource,
  lora: LoraShape,
  longest: number,
  { withGradients = true, dropout = 0, form = 'each', ...goal }: TrainingGraphOptions = {},
): TrainingGraph {
  const graph = new GraphBuilder();
  const tape = new Tape(graph);
  const weights = source(graph);
  const parameters = loraParameters(config, lora);
  const groups = dropout > 0 ? dropoutInputs(config, lora) : [];
  const scaling = lora.scaling / (1 - dropout);
  const inputs = parameterInputs(tape, parameters, form);
  const adapter = adapterOf(inputs, scaling, keepFactors(tape, groups));

  const hidden = buildHidden(tape, config, longest, weights, adapter);
  const loss = buildLoss(tape, config, weights, hidden, goal);
  if (withGradients) gradientOutputs(tape, loss, inputs, form);
  return { graph, parameters };
}

/** The same inputs and outputs, but without an adapter: all weights of the model are parameters. */
export function buildPretrainingGraph(
  config: ModelConfig,
  longest: number,
  {
    withGradients = true,
    form = 'each',
    logitsAtOnce,
  }: Pick<TrainingGraphOptions, 'withGradients' | 'form' | 'logitsAtOnce'> = {},
): TrainingGraph<WeightParameter> {
  const graph = new GraphBuilder();
  const tape = new Tape(graph);
  const parameters = weightParameters(config);
  const inputs = parameterInputs(tape, parameters, form);
  const weights = float32Weights(name => inputs.get(name)!);
  const hidden = buildHidden(tape, config, longest, weights, () => null);
  const loss = buildLoss(tape, config, weights, hidden, { logitsAtOnce });
  if (withGradients) gradientOutputs(tape, loss, inputs, form);
  return { graph, parameters };
}

/** All weights of a model, matrices first. */
export function weightParameters(config: ModelConfig): WeightParameter[] {
  const all = [...weightShapes(config)].map(([name, shape]) => ({ name, shape }));
  return all.sort((a, b) => b.shape.length - a.shape.length);
}

/** The same inputs without labels. The output `logits` is [tokens, vocabulary]. */
export function buildLogitsGraph(
  config: ModelConfig,
  source: WeightSource,
  lora: LoraShape,
  longest: number,
): TrainingGraph {
  const graph = new GraphBuilder();
  const tape = new Tape(graph);
  const weights = source(graph);
  const parameters = loraParameters(config, lora);
  const adapter = adapterOf(parameterInputs(tape, parameters, 'each'), lora.scaling);
  const hidden = buildHidden(tape, config, longest, weights, adapter);
  const normal = finalStates(tape, config, weights, hidden);
  graph.output('logits', weights.table(outputName(config)).multiply(graph, normal));
  return { graph, parameters };
}

/**
 * Some of the layers, with the inputs of `buildLogitsGraph` and, unless they are the first, the `stream` before them:
 * [tokens, hidden]. Returns the `stream` after them.
 */
export function buildLayersGraph(
  config: ModelConfig,
  source: WeightSource,
  longest: number,
  range: LayerRange,
): GraphBuilder {
  const graph = new GraphBuilder();
  const hidden = buildHidden(new Tape(graph), config, longest, source(graph), () => null, range);
  graph.output(STREAM, hidden);
  return graph;
}

/** From the `stream` after the last layer to `logits`. */
export function buildHeadGraph(config: ModelConfig, source: WeightSource): GraphBuilder {
  const graph = new GraphBuilder();
  const weights = source(graph);
  const normal = finalStates(new Tape(graph), config, weights, streamInput(graph, config));
  graph.output('logits', weights.table(outputName(config)).multiply(graph, normal));
  return graph;
}

/** The residual stream, as an output of one graph and an input of the next. */
export const STREAM = 'stream';
const STREAM_BEFORE = 'streamBefore';

/** What a graph returned as the stream, for the next one. */
export const toStreamInput = (values: Float32Array) => ({ [STREAM_BEFORE]: values });

const streamInput = (graph: GraphBuilder, { hidden }: ModelConfig) =>
  graph.input(STREAM_BEFORE, 'float32', ['tokens', hidden]);

function buildHidden(
  tape: Tape,
  config: ModelConfig,
  longest: number,
  weights: Weights,
  adapter: AdapterLookup,
  range?: LayerRange,
): Tensor {
  const { graph } = tape;
  const ids = graph.input('ids', 'int64', ['tokens']);
  const lines = { shape: graph.input('lines', 'int64', [2]), count: 'lines', length: 'length' };
  const positions = graph.input('positions', 'int64', ['lines', 'length']);
  const rows = graph.input('rows', 'float32', ['lines', 'length']);
  const masks = new Map(
    windowsOf(config).map(window => [window, packedCausalMask(graph, rows, positions, config, window)]),
  );
  const reaches = reachesOf(graph, positions, ids, config);
  const chunks = config.mixers.some(({ kind }) => kind === 'delta')
    ? chunksOf(graph, lines, rows, { size: DELTA_CHUNK, longest })
    : null;
  const before = range && range.from > 0 ? streamInput(graph, config) : undefined;
  const inputs = { ids, lines, positions, masks, reaches, chunks, longest, range, before };
  return buildTrainingLayers(tape, config, inputs, weights, adapter);
}

/** How many tokens a delta rule computes at once: fewer have more states in between, more cost more among themselves. */
export const DELTA_CHUNK = 32;

function adapterOf(
  tensors: ReadonlyMap<string, Tensor>,
  scaling: number,
  keep: (layer: number, module: Module) => Tensor | undefined = () => undefined,
): AdapterLookup {
  return (layer, module) => {
    const a = tensors.get(adapterName(layer, module, 'a'));
    const b = tensors.get(adapterName(layer, module, 'b'));
    return a && b ? { a, b, scaling, keep: keep(layer, module) } : null;
  };
}

const MASKED = -1e9;

/**
 * The mask of packed training: a token attends to itself and to earlier tokens of its own row of data, as far back as the
 * window goes. A line may hold several rows, told apart by their numbers.
 * `rows` are row numbers, float32 [lines, length], and `positions` those within the row, int64 [lines, length]. The mask
 * is [lines, kv, group * length, length], as the scores are: the queries of a group share keys, and a sum of equal shapes
 * is computed by several threads.
 */
function packedCausalMask(
  graph: GraphBuilder,
  rows: Tensor,
  positions: Tensor,
  { heads, kvHeads }: Pick<ModelConfig, 'heads' | 'kvHeads'>,
  window: number | null,
): Tensor {
  const [lines, length] = rows.shape as [string, string];
  const places = cast(graph, positions, 'float32');
  const asQueries = (a: Tensor) => reshape(graph, a, [lines, 1, length, 1]);
  const asKeys = (a: Tensor) => reshape(graph, a, [lines, 1, 1, length]);
  // Positive where a token is hidden, in steps of 1. Comparisons would leave a GPU, which has none of integers.
  const apart = unary(graph, 'Abs', subtract(graph, asQueries(rows), asKeys(rows)));
  const ahead = subtract(graph, asKeys(places), asQueries(places));
  const later = unary(graph, 'Relu', ahead);
  const tooFar = () =>
    unary(graph, 'Relu', subtract(graph, graph.values('float32', [], [1 - window!]), ahead));
  const hidden = add(graph, apart, window === null ? later : add(graph, later, tooFar()));
  const mask = scale(graph, clip(graph, hidden, 0, 1), MASKED);
  return repeat(graph, repeat(graph, mask, heads / kvHeads, 2), kvHeads, 1);
}

/** For 1, 2, ... tokens back, up to where convolutions reach: 1 where a token's row of data has a token there, [tokens, 1]. */
function reachesOf(graph: GraphBuilder, positions: Tensor, ids: Tensor, { mixers }: ModelConfig): Tensor[] {
  const furthest = Math.max(0, ...mixers.map(mixer => (mixer.kind === 'attention' ? 0 : mixer.length - 1)));
  if (furthest === 0) return [];
  const places = reshape(graph, cast(graph, positions, 'float32'), [ids.shape[0]!, 1]);
  return Array.from({ length: furthest }, (_, i) =>
    clip(graph, subtract(graph, places, graph.values('float32', [], [i])), 0, 1),
  );
}

interface ShapedValues<T> {
  values: T;
  shape: readonly number[];
}

/** One line of tokens as the inputs of a graph without labels. */
type LineInputs = Readonly<
  Record<'ids' | 'lines', BigInt64Array> & {
    positions: ShapedValues<BigInt64Array>;
    rows: ShapedValues<Float32Array>;
  }
>;

export function toLineInputs(ids: readonly number[], config: Pick<ModelConfig, 'mixers'>): LineInputs {
  const first = firstPosition(config, ids.length);
  const shape = [1, ids.length];
  return {
    ids: BigInt64Array.from(ids, BigInt),
    lines: BigInt64Array.from(shape, BigInt),
    positions: { values: BigInt64Array.from(ids.keys(), i => BigInt(first + i)), shape },
    rows: { values: new Float32Array(ids.length), shape },
  };
}
