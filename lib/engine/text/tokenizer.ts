// A typed wrapper around the tokenizer package: encodes text as IDs, with the string of each token.
import { Tokenizer as PackageTokenizer } from '@huggingface/tokenizers';
import { reasonOf, TextError } from './errors.js';
import type { JsonFile } from './text-files.js';
import { readVocabulary, type Vocabulary } from './vocabulary.js';

export interface Tokens {
  readonly ids: number[];
  /** The tokens as the vocabulary writes them. Their total length does not depend on how the text was split. */
  readonly tokens: string[];
}

export interface Tokenizer {
  readonly vocabulary: Vocabulary;
  /** Adds no special tokens, but recognizes markers in the text. */
  tokenize(text: string): Tokens;
  /** The special tokens that the tokenizer adds around a text, such as a beginning-of-sequence token. */
  readonly frame: { readonly before: readonly number[]; readonly after: readonly number[] };
}

interface Encoder {
  encode(text: string, options: { add_special_tokens: boolean }): Tokens;
}

export function createTokenizer(file: JsonFile): Tokenizer {
  const vocabulary = readVocabulary(file);
  try {
    const encoder = createEncoder(file);
    return {
      vocabulary,
      tokenize: text => encoder.encode(text, { add_special_tokens: false }),
      frame: findFrame(encoder),
    };
  } catch (error) {
    throw new TextError(`${file.path} uses an unsupported feature: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** Adds keys that the package requires, and the model type that old files omit. */
function createEncoder({ content }: JsonFile): Encoder {
  const optional = { normalizer: null, pre_tokenizer: null, post_processor: null, added_tokens: [] };
  const model = { type: 'BPE', ...(content.model as object) };
  return new PackageTokenizer({ ...optional, ...content, model }, {});
}

function findFrame(encoder: Encoder): Tokenizer['frame'] {
  const probe = 'a';
  const bare = encoder.encode(probe, { add_special_tokens: false }).ids;
  const framed = encoder.encode(probe, { add_special_tokens: true }).ids;
  if (framed.includes(undefined as never))
    throw new Error('post_processor names a token that is not in the vocabulary');
  const start = framed.findIndex((_, index) => bare.every((id, offset) => framed[index + offset] === id));
  return { before: framed.slice(0, start), after: framed.slice(start + bare.length) };
}
