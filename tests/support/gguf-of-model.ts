// A model folder as a GGUF file, as llama.cpp's converter writes it.
import { arrangementOf, changeOf } from '../../lib/engine/gguf/arrangement.js';
import { toLlamaCppNames, toLlamaCppShape } from '../../lib/engine/gguf/llama-cpp-layout.js';
import { attentionOf, openModel, weightShapes } from '../../lib/engine/model/index.js';
import { openWeights } from '../../lib/engine/weights/index.js';
import { encodeGguf, type GgufData, type GgufValue } from './write-gguf.js';

export type Metadata = Record<string, GgufValue>;

/** How values are stored: the format's number and bytes. */
export type Store = (values: Float32Array, shape: readonly number[]) => Pick<GgufData, 'type' | 'data'>;

export const asF32: Store = values => ({ type: 0, data: new Uint8Array(values.buffer) });

/** `metadata` is laid over what the model's config says. `more`: tensors besides its own. */
export async function ggufOfModel(
  folder: string,
  { metadata = {}, store = asF32, more = [] }: { metadata?: Metadata; store?: Store; more?: GgufData[] } = {},
): Promise<Buffer> {
  const { config } = await openModel(folder);
  const weights = await openWeights(folder);
  const tensors: GgufData[] = [];
  for (const [name, shape] of weightShapes(config)) {
    const values = await weights.readFloat32(name);
    const change = changeOf(name, config);
    if (change) for (const [i, value] of values.entries()) values[i] = change.toFile(value);
    const arranged = arrangementOf(name, config)?.toFile(values, values.length / shape[0]!) ?? values;
    tensors.push({
      name: toLlamaCppNames(name, config)[0]!,
      shape: toLlamaCppShape(shape),
      ...store(arranged, shape),
    });
  }
  return encodeGguf(Object.entries({ ...(await metadataOf(folder)), ...metadata }), [...tensors, ...more]);
}

async function metadataOf(folder: string): Promise<Metadata> {
  const { config } = await openModel(folder);
  const { name } = config.llamaCpp;
  const whole = attentionOf(config).find(({ window }) => window === null)!;
  const windows = attentionOf(config).map(({ window }) => Number(window !== null));
  const { window } = attentionOf(config).find(({ window }) => window !== null) ?? {};
  const kvHeads = config.mixers.map(({ kind }) => (kind === 'attention' ? config.kvHeads : 0));
  const convolution = kvHeads.includes(0);
  const { theta, scaling } = whole.rope!;
  return {
    'general.architecture': name,
    [`${name}.block_count`]: { uint32: config.layers },
    [`${name}.context_length`]: { uint32: config.maxPositions },
    [`${name}.embedding_length`]: { uint32: config.hidden },
    [`${name}.feed_forward_length`]: { uint32: config.intermediate },
    [`${name}.attention.head_count`]: { uint32: config.heads },
    [`${name}.attention.head_count_kv`]: convolution ? { int32s: kvHeads } : { uint32: config.kvHeads },
    ...(convolution && { [`${name}.shortconv.l_cache`]: { uint32: 3 } }),
    [`${name}.attention.key_length`]: { uint32: config.headDim },
    [`${name}.attention.layer_norm_rms_epsilon`]: { float32: config.epsilon },
    [`${name}.rope.freq_base`]: { float32: theta },
    ...(scaling &&
      'factor' in scaling && {
        [`${name}.rope.scaling.type`]: scaling.kind,
        [`${name}.rope.scaling.factor`]: { float32: scaling.factor },
      }),
    ...(window && {
      [`${name}.attention.sliding_window`]: { uint32: window },
      [`${name}.attention.sliding_window_pattern`]: { int32s: windows },
    }),
    'tokenizer.ggml.model': 'gpt2',
    'tokenizer.ggml.pre': 'gpt-2',
    'tokenizer.ggml.tokens': Array.from({ length: config.vocabulary }, (_, id) => `${id}`),
    'tokenizer.ggml.merges': [],
  };
}
