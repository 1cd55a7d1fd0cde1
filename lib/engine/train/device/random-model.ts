// Models with random weights in memory, to try a device with.
import type { Tensor } from '../../graph/index.js';
import {
  float32Weights,
  type ModelConfig,
  type ModelSource,
  parseModelConfig,
  weightShapes,
} from '../../model/index.js';
import { createRandom } from '../../random.js';
import { noise } from '../provider-check.js';

const SEED = 11;

/** The shape of a model that people train, but with few layers and a small vocabulary: SmolLM2-135M. */
export const USUAL_MODEL: ModelConfig = toConfig({
  model_type: 'llama',
  hidden_size: 576,
  num_hidden_layers: 4,
  num_attention_heads: 9,
  num_key_value_heads: 3,
  intermediate_size: 1536,
  vocab_size: 8192,
  tie_word_embeddings: true,
});

const TINY = {
  hidden_size: 48,
  num_hidden_layers: 2,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  head_dim: 12,
  intermediate_size: 96,
  vocab_size: 160,
  max_position_embeddings: 256,
};

/** Together, they use every operator of every architecture. */
export const TINY_MODELS: readonly ModelConfig[] = [
  toConfig({ ...TINY, model_type: 'llama', tie_word_embeddings: true }),
  toConfig({ ...TINY, model_type: 'qwen2' }),
  toConfig({
    ...TINY,
    model_type: 'gemma3_text',
    tie_word_embeddings: true,
    query_pre_attn_scalar: 12,
    sliding_window: 16,
    layer_types: ['sliding_attention', 'full_attention'],
  }),
  toConfig({
    ...TINY,
    model_type: 'lfm2',
    block_auto_adjust_ff_dim: false,
    layer_types: ['conv', 'full_attention'],
  }),
  toConfig({
    ...TINY,
    model_type: 'qwen3_5_text',
    // A quarter of it is turned by positions.
    head_dim: 16,
    layer_types: ['linear_attention', 'full_attention'],
    linear_num_key_heads: 2,
    linear_num_value_heads: 4,
    linear_key_head_dim: 12,
    linear_value_head_dim: 12,
  }),
];

function toConfig(settings: object): ModelConfig {
  return parseModelConfig(settings, 'the model');
}

export function createRandomModel(config: ModelConfig): ModelSource {
  const random = createRandom(SEED);
  const values = new Map(
    [...weightShapes(config)].map(([name, shape]) => [name, inBfloat16(noise(shape, random))]),
  );
  return {
    folder: null,
    config,
    place(name) {
      throw new Error(`${name} is in no file.`);
    },
    weights(graph) {
      const added = new Map<string, Tensor>();
      const add = (name: string) => {
        const bytes = new Uint8Array(values.get(name)!.buffer);
        return graph.constant(name, 'float32', weightShapes(config).get(name)!, { bytes });
      };
      return float32Weights(name => added.get(name) ?? added.set(name, add(name)).get(name)!);
    },
    bytesPerWeight: Float32Array.BYTES_PER_ELEMENT,
  };
}

/** As models are stored: what their weights lose in float16 is then no part of a comparison. */
function inBfloat16(values: Float32Array): Float32Array {
  const bits = new Uint32Array(values.buffer);
  for (const [i, value] of bits.entries()) bits[i] = value & 0xffff0000;
  return values;
}
