// The tokenizer package on a model's files, without any of our code between.
import { Tokenizer } from '@huggingface/tokenizers';
import { type BpeModel, toTokenizerFiles } from '../../tokenizer/index.js';

export function openPackage(model: BpeModel): Tokenizer {
  const files = toTokenizerFiles(model);
  const [tokenizer, config] = [files['tokenizer.json'], files['tokenizer_config.json']].map(file =>
    JSON.parse(JSON.stringify(file)),
  );
  return new Tokenizer(tokenizer, config);
}
