// A Llama without biases or scaled positions as a GGUF file in q8_0. Its vocabulary is made up, because only token IDs go
// in and out; node-llama-cpp does not load a model without one.
import { open } from 'node:fs/promises';
import {
  f32Tensor,
  type GgufTensor,
  ggufHeader,
  type MetadataValue,
  padData,
} from '../../../lib/engine/export/gguf-adapter.js';
import { pairRows, toLlamaCppName } from '../../../lib/engine/gguf/llama-cpp-layout.js';
import { type ModelConfig, openModel, weightShapes } from '../../../lib/engine/model/index.js';
import { openWeights } from '../../../lib/engine/weights/index.js';
import { q8Tensor, toQ8 } from './q8.js';

/** Writes the model of a folder in Hugging Face layout. */
export async function writeLlamaFile(folder: string, path: string): Promise<void> {
  const { config } = await openModel(folder);
  const weights = await openWeights(folder);
  const tensors = [...weightShapes(config)].map(([stored, shape]) => ({
    ...describeTensor(config, stored, shape),
    stored,
  }));
  const file = await open(path, 'w');
  try {
    await file.writeFile(ggufHeader(metadataOf(config), tensors));
    for (const { stored, shape } of tensors) {
      const values = arrangeRows(config, stored, await weights.readFloat32(stored));
      await file.writeFile(padData(shape.length === 1 ? new Uint8Array(values.buffer) : toQ8(values)));
    }
  } finally {
    await file.close();
  }
}

function describeTensor(config: ModelConfig, stored: string, shape: readonly number[]): GgufTensor {
  const name = toLlamaCppName(stored, config);
  return shape.length === 1 ? f32Tensor(name, shape) : q8Tensor(name, shape);
}

function metadataOf(config: ModelConfig): Record<string, MetadataValue> {
  const { headDim } = config;
  const { rope } = config.attention[0]!;
  if (!rope || rope.scaling) throw new Error('Such positions cannot be written to a GGUF file here.');
  const text = (value: string) => ({ type: 'string', value }) as const;
  const count = (value: number) => ({ type: 'uint32', value }) as const;
  const texts = (value: readonly string[]) => ({ type: 'strings', value }) as const;
  const number = (value: number) => ({ type: 'float32', value }) as const;
  return {
    'general.architecture': text('llama'),
    'general.file_type': count(7), // mostly q8_0
    'general.quantization_version': count(2),
    'llama.context_length': count(config.maxPositions),
    'llama.embedding_length': count(config.hidden),
    'llama.block_count': count(config.layers),
    'llama.feed_forward_length': count(config.intermediate),
    'llama.attention.head_count': count(config.heads),
    'llama.attention.head_count_kv': count(config.kvHeads),
    'llama.attention.key_length': count(headDim),
    'llama.attention.value_length': count(headDim),
    'llama.attention.layer_norm_rms_epsilon': number(config.epsilon),
    'llama.rope.dimension_count': count(headDim),
    'llama.rope.freq_base': number(rope.theta),
    'tokenizer.ggml.model': text('gpt2'),
    'tokenizer.ggml.pre': text('gpt-2'),
    'tokenizer.ggml.tokens': texts(Array.from({ length: config.vocabulary }, (_, id) => `${id}`)),
    'tokenizer.ggml.merges': texts([]),
  };
}

/** Positions turn pairs of rows: row i and i + headDim / 2 in a safetensors file, neighbors in a GGUF file. */
function arrangeRows(config: ModelConfig, stored: string, values: Float32Array): Float32Array {
  if (!/[qk]_proj/.test(stored)) return values;
  return pairRows(values, config.headDim, config.hidden);
}
