// The layers in training, over [tokens, hidden] activations: recorded on a tape, which adds the backward pass.
import {
  attention,
  type Lines,
  type Projection,
  pickRows,
  project,
  reshaped,
  residual,
  rmsNorm,
  rope,
  swiglu,
  type Tape,
  type Tensor,
  times,
} from '../graph/index.js';
import { MODULE_GROUPS, type Module, type ModuleGroup, toModulePath } from '../weights/index.js';
import type { ModelConfig } from './config.js';
import { computeLayers, type LayerMath } from './layers.js';
import { ropeTables } from './rope-tables.js';
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
  /** Added to the scores, [lines, kv, group * length, length]. */
  mask: Tensor;
  /** No line has more tokens. */
  longest: number;
}

/** The hidden states after the last layer, before the final norm: [tokens, hidden]. */
export function buildTrainingLayers(
  tape: Tape,
  config: ModelConfig,
  { ids, lines, positions, mask, longest }: LayerInputs,
  weights: Weights,
  adapter: AdapterLookup,
): Tensor {
  const { kvHeads, headDim: dim } = config;
  // The runtime requires tables as long as a line, which may pack several rows, though no position gets that high.
  const tables = ropeTables(tape.graph, config, longest, ['cos', 'sin', 'minusSin']);
  let stream: Tensor;
  const normalize = (x: Tensor, scale: string) =>
    tape.apply(rmsNorm, { x, scale: weights.tensor(scale) }, { epsilon: config.epsilon });
  const math: LayerMath = {
    embed(table) {
      stream = tape.apply(pickRows, { table: weights.tensor(table) }, { rows: ids });
    },
    normalize: scale => normalize(stream, scale),
    add(update) {
      stream = tape.apply(residual, { a: stream, b: update }, null);
    },
    project: (layer, group, x) => projectGroup(tape, config, layer, group, x, weights, adapter),
    normalizeHeads(x, heads, scale) {
      const parted = tape.apply(reshaped, { x }, { shape: [times(heads, x.shape[0]!), dim] });
      return tape.apply(reshaped, { x: normalize(parted, scale) }, { shape: x.shape });
    },
    rotate: (x, heads) => tape.apply(rope, { x }, { ...tables, lines, positions, heads }),
    attend: (_, heads) => tape.apply(attention, heads, { heads: config.heads, kvHeads, dim, lines, mask }),
    activate: (gate, up) => tape.apply(swiglu, { gate, up }, null),
  };
  computeLayers(config, math);
  return stream!;
}

/** Projections of the same input, in one call, because their adapters share work. */
function projectGroup(
  tape: Tape,
  { biases }: ModelConfig,
  layer: number,
  group: ModuleGroup,
  x: Tensor,
  weights: Weights,
  adapter: AdapterLookup,
): readonly Tensor[] {
  let scaling = 1;
  let keep: Tensor | undefined;
  const projections = MODULE_GROUPS[group].map((module): Projection => {
    const path = toModulePath({ layer, module });
    const found = adapter(layer, module);
    if (found) ({ scaling, keep } = found);
    return {
      matrix: weights.matrix(`${path}.weight`),
      bias: biases.includes(module) ? weights.tensor(`${path}.bias`) : undefined,
      a: found?.a,
      b: found?.b,
    };
  });
  return project(tape, x, projections, { scaling, keep });
}
