// A model as a GGUF file in q8_0. Its vocabulary is made up, because only token IDs go in and out; node-llama-cpp does not
// load a model without one.
import { writeFile } from 'node:fs/promises';
import { modelMetadata } from '../../../lib/engine/export/gguf-metadata.js';
import { encodeGgufModel } from '../../../lib/engine/export/gguf-model.js';
import type { Metadata } from '../../../lib/engine/gguf/index.js';
import { openModel } from '../../../lib/engine/model/index.js';
import { openWeights } from '../../../lib/engine/weights/index.js';

/** Writes the model of a folder in Hugging Face layout. */
export async function writeLlamaFile(folder: string, path: string): Promise<void> {
  const { config } = await openModel(folder);
  const weights = await openWeights(folder);
  const metadata = { ...modelMetadata(config, folder), ...madeUpTokenizer(config.vocabulary) };
  await writeFile(path, encodeGgufModel({ config, weights, metadata, quantization: 'q8_0' }));
}

export function madeUpTokenizer(tokens: number): Metadata {
  return {
    'tokenizer.ggml.model': { type: 'string', value: 'gpt2' },
    'tokenizer.ggml.pre': { type: 'string', value: 'gpt-2' },
    'tokenizer.ggml.tokens': {
      type: 'strings',
      value: Array.from({ length: tokens }, (_, id) => `${id}`),
    },
    'tokenizer.ggml.merges': { type: 'strings', value: [] },
  };
}
