// Which architecture a GGUF file is of, by llama.cpp's name.
import { ARCHITECTURES } from '../model/index.js';
import { quote, WeightsError } from '../weights/index.js';
import type { Facts } from './facts.js';
import type { GgufHeader } from './read-header.js';

export interface Architecture {
  name: string;
  /** In Hugging Face's layout. */
  modelType: string;
}

const nameOf = (modelType: string) => ARCHITECTURES[modelType]!.llamaCpp.name;

/** Rejects what is not one whole language model. */
export function readArchitecture({ file }: GgufHeader, facts: Facts): Architecture {
  const type = facts.text('general.type') ?? 'model';
  if (type !== 'model') throw new WeightsError(file, `is not a model but of type ${quote(type)}`);
  const parts = facts.number('split.count') ?? 1;
  if (parts > 1)
    throw new WeightsError(file, `is one of ${parts} parts. Join them first: llama-gguf-split --merge`);
  const name = facts.text('general.architecture') ?? '';
  const modelTypes = Object.keys(ARCHITECTURES);
  const modelType = modelTypes.find(type => nameOf(type) === name);
  if (modelType !== undefined) return { name, modelType };
  const known = new Intl.ListFormat('en-GB').format(new Set(modelTypes.map(nameOf)));
  throw new WeightsError(file, `has the architecture ${quote(name)}, which is not supported; ${known} are`);
}
