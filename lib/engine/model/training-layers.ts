// The layers in training, over [tokens, hidden] activations: recorded on a tape, which adds the backward pass.
import {
  attention,
  type Chunks,
  causalConvolution,
  columns,
  deltaRule,
  geglu,
  type Lines,
  type Projection,
  pickRows,
  product,
  project,
  repeatHeads,
  reshaped,
  residual,
  rmsNorm,
  rope,
  scaled,
  sigmoid,
  stateDecay,
  swiglu,
  type Tape,
  type Tensor,
  times,
} from '../graph/index.js';
import { type Module, type ModuleGroup, toModulePath } from '../weights/index.js';
import type { ModelConfig } from './config.js';
import { computeLayers, type LayerMath, type LayerRange, SMALLEST_SQUARE } from './layers.js';
import { ropeTables } from './rope-tables.js';
import { convolutionName, deltaName, layerModules, moduleParts } from './weight-names.js';
import type { Weights } from './weight-source.js';

interface AdapterTensors {
  /** [rank, in] */
  a: Tensor;
  /** [rank, out] */
  b: Tensor;
  scaling: number;
  /** The dropout mask of the adapter's input, [tokens, in]. */
  keep?: Tensor | undefined;
}

export type AdapterLookup = (layer: number, module: Module) => AdapterTensors | null;

interface LayerInputs {
  /** int64 [tokens] */
  ids: Tensor;
  lines: Lines;
  /** int64 [lines, length] */
  positions: Tensor;
  /** By window: added to the scores, [lines, kv, group * length, length]. */
  masks: ReadonlyMap<number | null, Tensor>;
  /** As convolutions have them, for as many tokens back as any of them reaches. */
  reaches: readonly Tensor[];
  /** For layers with a delta rule. */
  chunks: Chunks | null;
  /** No line has more tokens. */
  longest: number;
  /** By default all. */
  range?: LayerRange | undefined;
  /** The hidden states before the first of them, unless it is the model's first. */
  before?: Tensor | undefined;
}

/** The hidden states after the last layer, before the final norm: [tokens, hidden]. */
export function buildTrainingLayers(
  tape: Tape,
  config: ModelConfig,
  { ids, lines, positions, masks, reaches, chunks, longest, range, before }: LayerInputs,
  weights: Weights,
  adapter: AdapterLookup,
): Tensor {
  const { kvHeads, headDim: dim, scales, normsAddOne } = config;
  // The runtime requires tables as long as a line, which may pack several rows, though no position gets that high.
  const tables = ropeTables(tape.graph, config, longest, ['cos', 'sin', 'minusSin']);
  let stream = before;
  const normalize = (x: Tensor, name: string, addsOne = normsAddOne) =>
    trainingNorm(tape, config, x, scaleOf(tape, weights, name, addsOne));
  const math: LayerMath = {
    embed(table, factor) {
      const rows = tape.apply(pickRows, { table: weights.tensor(table) }, { rows: ids });
      stream = scaleBy(tape, rows, factor);
    },
    normalize: scale => (scale ? normalize(stream!, scale) : stream!),
    normalizeUpdate: normalize,
    scale: (x, factor) => scaleBy(tape, x, factor),
    add(update) {
      stream = tape.apply(residual, { a: stream!, b: update }, null);
    },
    project: (layer, group, x) => projectGroup(tape, config, layer, group, x, weights, adapter),
    split(x, widths, heads = 1) {
      const parts = tape.applyAll(columns, { x: toHeads(tape, x, heads) }, { widths });
      return parts.map((part, i) => fromHeads(tape, part, [x.shape[0]!, heads * widths[i]!]));
    },
    multiply: (a, b) => tape.apply(product, { a, b }, null),
    convolve(layer, x, { length }) {
      const weight = weights.tensor(convolutionName(config, layer));
      return tape.apply(causalConvolution, { x, weight }, { reaches: reaches.slice(0, length - 1) });
    },
    sigmoid: x => tape.apply(sigmoid, { x }, null),
    normalizeHeads: (x, heads, name, addsOne) =>
      fromHeads(tape, normalize(toHeads(tape, x, heads), name, addsOne), x.shape),
    toLength(x, heads, length) {
      const parted = toHeads(tape, x, heads);
      return fromHeads(tape, unitRows(tape, parted, length), x.shape);
    },
    decay(layer, x) {
      const [bias, rate] = [
        weights.tensor(deltaName(layer, 'dt_bias')),
        weights.tensor(deltaName(layer, 'A_log')),
      ];
      return tape.apply(stateDecay, { x, bias, rate }, null);
    },
    recall(_, { q, k, ...parts }, { heads, keyHeads }) {
      const repeated = (x: Tensor) =>
        heads === keyHeads ? x : tape.apply(repeatHeads, { x }, { heads: keyHeads, count: heads / keyHeads });
      return tape.apply(deltaRule, { q: repeated(q), k: repeated(k), ...parts }, { heads, chunks: chunks! });
    },
    rotate: (x, heads, by) => tape.apply(rope, { x }, { ...tables.get(by)!, lines, positions, heads }),
    attend(_, heads, window) {
      const mask = masks.get(window)!;
      return tape.apply(attention, heads, {
        ...{ heads: config.heads, kvHeads, dim, scale: scales.scores },
        ...{ lines, mask },
      });
    },
    activate(gate, up) {
      const inputs = { gate, up };
      return config.activation === 'gelu'
        ? tape.apply(geglu, inputs, null)
        : tape.apply(swiglu, inputs, null);
    },
  };
  computeLayers(config, math, range);
  return stream!;
}

function scaleBy(tape: Tape, x: Tensor, factor: number): Tensor {
  return factor === 1 ? x : tape.apply(scaled, { x }, { factor });
}

/** What the logits of these rows of the residual stream are computed from. */
export function finalStates(tape: Tape, config: ModelConfig, weights: Weights, x: Tensor): Tensor {
  const scale = scaleOf(tape, weights, config.finalNorm, config.normsAddOne);
  return scaleBy(tape, trainingNorm(tape, config, x, scale), config.scales.logits);
}

/** The rows of `x` after the norm with these weights. */
function trainingNorm(tape: Tape, { epsilon }: ModelConfig, x: Tensor, scale: Tensor): Tensor {
  return tape.apply(rmsNorm, { x, scale }, { epsilon });
}

function scaleOf(tape: Tape, weights: Weights, name: string, addsOne: boolean): Tensor {
  const stored = weights.tensor(name);
  return addsOne
    ? tape.apply(residual, { a: stored, b: tape.graph.values('float32', [1], [1]) }, null)
    : stored;
}

/** Each row divided by its length, times a number: by its root mean square, with a scale. */
function unitRows(tape: Tape, x: Tensor, length: number): Tensor {
  const width = x.shape[1] as number;
  const scale = tape.graph.values('float32', [width], Array<number>(width).fill(length / Math.sqrt(width)));
  return tape.apply(rmsNorm, { x, scale }, { epsilon: SMALLEST_SQUARE / width });
}

/** [tokens, heads * dim] -> [tokens * heads, dim] */
function toHeads(tape: Tape, x: Tensor, heads: number): Tensor {
  if (heads === 1) return x;
  const [tokens, width] = x.shape as [string, number];
  return tape.apply(reshaped, { x }, { shape: [times(heads, tokens), width / heads] });
}

function fromHeads(tape: Tape, x: Tensor, shape: Tensor['shape']): Tensor {
  return x.shape[1] === shape[1] ? x : tape.apply(reshaped, { x }, { shape });
}

/** Projections of the same input, in one call, because their adapters share work. */
function projectGroup(
  tape: Tape,
  config: ModelConfig,
  layer: number,
  group: ModuleGroup,
  x: Tensor,
  weights: Weights,
  adapter: AdapterLookup,
): readonly Tensor[] {
  let scaling = 1;
  let keep: Tensor | undefined;
  const modules = layerModules(config, layer)[group];
  const projections = modules.map((module): Projection => {
    const path = toModulePath({ layer, module });
    const found = adapter(layer, module);
    if (found) ({ scaling, keep } = found);
    return {
      matrix: weights.matrix(`${path}.weight`),
      bias: config.biases.includes(module) ? weights.tensor(`${path}.bias`) : undefined,
      a: found?.a,
      b: found?.b,
    };
  });
  return project(tape, x, projections, { scaling, keep }).flatMap((output, i) => {
    const widths = moduleParts(config, modules[i]!);
    return widths.length === 1 ? output : tape.applyAll(columns, { x: output }, { widths });
  });
}
