// Which architecture a GGUF file is of, by llama.cpp's name.
import { quote, WeightsError } from '../weights/index.js';
import type { Facts } from './facts.js';
import type { GgufHeader } from './read-header.js';

/** The `model_type` in Hugging Face's layout, by llama.cpp's name. */
const MODEL_TYPES: Readonly<Record<string, string>> = {
  llama: 'llama',
  qwen2: 'qwen2',
  qwen3: 'qwen3',
  gemma3: 'gemma3_text',
  smollm3: 'smollm3',
  granite: 'granite',
  phi3: 'phi3',
  lfm2: 'lfm2',
  qwen35: 'qwen3_5_text',
};

export interface Architecture {
  name: string;
  modelType: string;
}

/** Rejects what is not one whole language model. */
export function readArchitecture({ file }: GgufHeader, facts: Facts): Architecture {
  const type = facts.text('general.type') ?? 'model';
  if (type !== 'model') throw new WeightsError(file, `is not a model but of type ${quote(type)}`);
  const parts = facts.number('split.count') ?? 1;
  if (parts > 1)
    throw new WeightsError(file, `is one of ${parts} parts. Join them first: llama-gguf-split --merge`);
  const name = facts.text('general.architecture') ?? '';
  if (Object.hasOwn(MODEL_TYPES, name)) return { name, modelType: MODEL_TYPES[name]! };
  const known = new Intl.ListFormat('en-GB').format(Object.keys(MODEL_TYPES));
  throw new WeightsError(file, `has the architecture ${quote(name)}, which is not supported; ${known} are`);
}
