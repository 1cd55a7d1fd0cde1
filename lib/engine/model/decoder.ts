// Builds the decoder layers: attention and feed-forward blocks over [tokens, hidden] activations. The caller provides
// the weights and the adapters.
import {
  attention,
  type DType,
  type Lines,
  type Projection,
  pickRows,
  project,
  type RopeOptions,
  reshaped,
  residual,
  rmsNorm,
  rope,
  swiglu,
  type Tape,
  type Tensor,
  times,
} from '../graph/index.js';
import { toModulePath } from '../weights/index.js';
import type { ModelConfig } from './config.js';
import { ropeTables } from './rope-tables.js';
import { EMBEDDING, hasBias, layerName, type Module } from './weight-names.js';
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

interface DecoderInputs {
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
export function buildDecoder(
  tape: Tape,
  config: ModelConfig,
  inputs: DecoderInputs,
  weights: Weights,
  adapter: AdapterLookup,
): Tensor {
  const rotation = ropeInputs(tape, config, inputs);
  let x = tape.apply(pickRows, { table: weights.tensor(EMBEDDING) }, { rows: inputs.ids });
  for (let layer = 0; layer < config.layers; layer++) {
    const norm = (part: string, input: Tensor) =>
      tape.apply(
        rmsNorm,
        { x: input, scale: weights.tensor(layerName(layer, part)) },
        { epsilon: config.epsilon },
      );
    const projected = (modules: readonly Module[], input: Tensor) =>
      applyModules(tape, config, layer, modules, input, weights, adapter);

    const [q, k, v] = projected(['q_proj', 'k_proj', 'v_proj'], norm('input_layernorm.weight', x));
    const attended = attend(tape, config, inputs, rotation, { q: q!, k: k!, v: v! }, norm);
    x = tape.apply(residual, { a: x, b: projected(['o_proj'], attended)[0]! }, null);
    const [gate, up] = projected(['gate_proj', 'up_proj'], norm('post_attention_layernorm.weight', x));
    const active = tape.apply(swiglu, { gate: gate!, up: up! }, null);
    x = tape.apply(residual, { a: x, b: projected(['down_proj'], active)[0]! }, null);
  }
  return x;
}

function attend(
  tape: Tape,
  config: ModelConfig,
  { lines, mask }: DecoderInputs,
  rotation: Omit<RopeOptions, 'heads'>,
  { q, k, v }: { q: Tensor; k: Tensor; v: Tensor },
  norm: (part: string, input: Tensor) => Tensor,
): Tensor {
  const { heads, kvHeads, headDim: dim } = config;
  const tokens = q.shape[0]!;
  const normalize = (part: 'q' | 'k', projected: Tensor, count: number) => {
    const heads = tape.apply(reshaped, { x: projected }, { shape: [times(count, tokens), dim] });
    const normal = norm(`self_attn.${part}_norm.weight`, heads);
    return tape.apply(reshaped, { x: normal }, { shape: projected.shape });
  };
  const prepare = (part: 'q' | 'k', projected: Tensor, count: number) => {
    const x = config.queryKeyNorm ? normalize(part, projected, count) : projected;
    return tape.apply(rope, { x }, { ...rotation, heads: count });
  };
  const prepared = { q: prepare('q', q, heads), k: prepare('k', k, kvHeads), v };
  return tape.apply(attention, prepared, { heads, kvHeads, dim, lines, mask });
}

/** Projections of the same input, in one call, because their adapters share work. */
function applyModules(
  tape: Tape,
  config: ModelConfig,
  layer: number,
  modules: readonly Module[],
  x: Tensor,
  weights: Weights,
  adapter: AdapterLookup,
): readonly Tensor[] {
  let scaling = 1;
  let keep: Tensor | undefined;
  const projections = modules.map((module): Projection => {
    const path = toModulePath({ layer, module });
    const found = adapter(layer, module);
    if (found) ({ scaling, keep } = found);
    return {
      matrix: weights.matrix(`${path}.weight`),
      bias: hasBias(config, module) ? weights.tensor(`${path}.bias`) : undefined,
      a: found?.a,
      b: found?.b,
    };
  });
  return project(tape, x, projections, { scaling, keep });
}

function ropeInputs(
  { graph }: Tape,
  config: ModelConfig,
  { lines, positions, longest }: DecoderInputs,
): Omit<RopeOptions, 'heads'> {
  // The runtime requires tables as long as a line, which may pack several rows, though no position gets that high.
  const { cos, sin } = ropeTables(config, longest);
  const table = (name: string, values: Float32Array) =>
    graph.constant(name, 'float32' satisfies DType, [longest, config.headDim / 2], {
      bytes: new Uint8Array(values.buffer),
    });
  return {
    lines,
    positions,
    cos: table('rope_cos', cos),
    sin: table('rope_sin', sin),
    minusSin: table(
      'rope_minus_sin',
      sin.map(value => -value),
    ),
  };
}
