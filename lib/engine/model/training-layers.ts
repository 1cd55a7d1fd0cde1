// The layers in training, over [tokens, hidden] activations: recorded on a tape, which adds the backward pass.
import {
  attention,
  causalConvolution,
  columns,
  geglu,
  type Lines,
  type Projection,
  pickRows,
  product,
  project,
  reshaped,
  residual,
  rmsNorm,
  rope,
  scaled,
  swiglu,
  type Tape,
  type Tensor,
  times,
} from '../graph/index.js';
import { type Module, type ModuleGroup, toModulePath } from '../weights/index.js';
import type { ModelConfig } from './config.js';
import { computeLayers, type LayerMath } from './layers.js';
import { ropeTables } from './rope-tables.js';
import { convolutionName, layerModules, moduleParts } from './weight-names.js';
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
  /** No line has more tokens. */
  longest: number;
}

/** The hidden states after the last layer, before the final norm: [tokens, hidden]. */
export function buildTrainingLayers(
  tape: Tape,
  config: ModelConfig,
  { ids, lines, positions, masks, reaches, longest }: LayerInputs,
  weights: Weights,
  adapter: AdapterLookup,
): Tensor {
  const { kvHeads, headDim: dim, scales } = config;
  // The runtime requires tables as long as a line, which may pack several rows, though no position gets that high.
  const tables = ropeTables(tape.graph, config, longest, ['cos', 'sin', 'minusSin']);
  let stream: Tensor;
  const normalize = (x: Tensor, scale: string) => trainingNorm(tape, config, weights, x, scale);
  const math: LayerMath = {
    embed(table, factor) {
      const rows = tape.apply(pickRows, { table: weights.tensor(table) }, { rows: ids });
      stream = scaleBy(tape, rows, factor);
    },
    normalize: scale => normalize(stream, scale),
    normalizeUpdate: normalize,
    scale: (x, factor) => scaleBy(tape, x, factor),
    add(update) {
      stream = tape.apply(residual, { a: stream, b: update }, null);
    },
    project: (layer, group, x) => projectGroup(tape, config, layer, group, x, weights, adapter),
    part(x, count) {
      const width = (x.shape[1] as number) / count;
      return tape.applyAll(columns, { x }, { widths: Array<number>(count).fill(width) });
    },
    multiply: (a, b) => tape.apply(product, { a, b }, null),
    convolve(layer, x, { length }) {
      const weight = weights.tensor(convolutionName(config, layer));
      return tape.apply(causalConvolution, { x, weight }, { reaches: reaches.slice(0, length - 1) });
    },
    normalizeHeads(x, heads, scale) {
      const parted = tape.apply(reshaped, { x }, { shape: [times(heads, x.shape[0]!), dim] });
      return tape.apply(reshaped, { x: normalize(parted, scale) }, { shape: x.shape });
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
  computeLayers(config, math);
  return stream!;
}

function scaleBy(tape: Tape, x: Tensor, factor: number): Tensor {
  return factor === 1 ? x : tape.apply(scaled, { x }, { factor });
}

/** What the logits of these rows of the residual stream are computed from. */
export function finalStates(tape: Tape, config: ModelConfig, weights: Weights, x: Tensor): Tensor {
  return scaleBy(tape, trainingNorm(tape, config, weights, x, config.finalNorm), config.scales.logits);
}

/** The rows of `x` after the norm with these weights. */
function trainingNorm(
  tape: Tape,
  { normsAddOne, epsilon }: ModelConfig,
  weights: Weights,
  x: Tensor,
  name: string,
): Tensor {
  const stored = weights.tensor(name);
  const one = () => tape.graph.values('float32', [1], [1]);
  const scale = normsAddOne ? tape.apply(residual, { a: stored, b: one() }, null) : stored;
  return tape.apply(rmsNorm, { x, scale }, { epsilon });
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
