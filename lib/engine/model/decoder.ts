// Builds the decoder layers: attention and feed-forward blocks over [tokens, hidden] activations. The caller provides
// the weights and the adapters.
import {
  attention,
  type DType,
  linear,
  pickRows,
  type RopeOptions,
  reshaped,
  residual,
  rmsNorm,
  rope,
  swiglu,
  type Tape,
  type Tensor,
} from '../graph/index.js';
import { toModulePath } from '../weights/index.js';
import type { ModelConfig } from './config.js';
import { ropeTables } from './rope-tables.js';
import { EMBEDDING, hasBias, layerName, type Module } from './weight-names.js';

/** Looks up a weight as float32, by its name in the model's files. */
export type WeightLookup = (name: string) => Tensor;

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
  batch: number;
  sequence: number;
  /** int64 [tokens] */
  ids: Tensor;
  /** int64 [batch, sequence] */
  positions: Tensor;
  /** [batch, 1, 1, sequence, sequence], added to the scores. */
  mask: Tensor;
}

/** The hidden states after the last layer, before the final norm: [tokens, hidden]. */
export function buildDecoder(
  tape: Tape,
  config: ModelConfig,
  inputs: DecoderInputs,
  weight: WeightLookup,
  adapter: AdapterLookup,
): Tensor {
  const rotation = ropeInputs(tape, config, inputs);
  let x = tape.apply(pickRows, { table: weight(EMBEDDING) }, { rows: inputs.ids });
  for (let layer = 0; layer < config.layers; layer++) {
    const norm = (part: string, input: Tensor) =>
      tape.apply(rmsNorm, { x: input, scale: weight(layerName(layer, part)) }, { epsilon: config.epsilon });
    const project = (module: Module, input: Tensor) =>
      applyModule(tape, config, layer, module, input, weight, adapter);

    const attended = attend(tape, config, inputs, rotation, norm('input_layernorm.weight', x), project, norm);
    x = tape.apply(residual, { a: x, b: project('o_proj', attended) }, null);
    const normal = norm('post_attention_layernorm.weight', x);
    const active = tape.apply(
      swiglu,
      { gate: project('gate_proj', normal), up: project('up_proj', normal) },
      null,
    );
    x = tape.apply(residual, { a: x, b: project('down_proj', active) }, null);
  }
  return x;
}

function attend(
  tape: Tape,
  config: ModelConfig,
  { batch, sequence, mask }: DecoderInputs,
  rotation: Omit<RopeOptions, 'heads'>,
  x: Tensor,
  project: (module: Module, input: Tensor) => Tensor,
  norm: (part: string, input: Tensor) => Tensor,
): Tensor {
  const { heads, kvHeads, headDim: dim } = config;
  const tokens = batch * sequence;
  const prepare = (part: 'q' | 'k', count: number) => {
    const projected = project(`${part}_proj`, x);
    const normal = config.queryKeyNorm
      ? norm(
          `self_attn.${part}_norm.weight`,
          tape.apply(reshaped, { x: projected }, { shape: [tokens * count, dim] }),
        )
      : projected;
    const lines = tape.apply(reshaped, { x: normal }, { shape: [batch, sequence, count * dim] });
    const turned = tape.apply(rope, { x: lines }, { ...rotation, heads: count });
    return tape.apply(reshaped, { x: turned }, { shape: [tokens, count * dim] });
  };
  const qkv = { q: prepare('q', heads), k: prepare('k', kvHeads), v: project('v_proj', x) };
  return tape.apply(attention, qkv, {
    batch,
    sequence,
    heads,
    kvHeads,
    dim,
    mask,
    blocks: sequence >= 64 ? 2 : 1,
  });
}

function applyModule(
  tape: Tape,
  config: ModelConfig,
  layer: number,
  module: Module,
  x: Tensor,
  weight: WeightLookup,
  adapter: AdapterLookup,
): Tensor {
  const path = toModulePath({ layer, module });
  const bias = hasBias(config, module) ? weight(`${path}.bias`) : undefined;
  const { a, b, scaling = 1, keep } = adapter(layer, module) ?? {};
  return tape.apply(linear, { x, weight: weight(`${path}.weight`), bias, a, b }, { scaling, keep });
}

function ropeInputs(
  { graph }: Tape,
  config: ModelConfig,
  { positions, sequence }: DecoderInputs,
): Omit<RopeOptions, 'heads'> {
  // The runtime requires tables as long as a line, which may pack several rows, though no position gets that high.
  const length = sequence;
  const { cos, sin } = ropeTables(config, length);
  const table = (name: string, values: Float32Array) =>
    graph.constant(name, 'float32' satisfies DType, [length, config.headDim / 2], {
      bytes: new Uint8Array(values.buffer),
    });
  return {
    positions,
    cos: table('rope_cos', cos),
    sin: table('rope_sin', sin),
    minusSin: table(
      'rope_minus_sin',
      sin.map(value => -value),
    ),
  };
}
