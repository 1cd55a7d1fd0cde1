// The tokenizer package behind a typed door: text to ids, with the text of each token.
import { Tokenizer as PackageTokenizer } from '@huggingface/tokenizers';
import { reasonOf, TextError } from './errors.js';
import type { JsonFile } from './text-files.js';
import { readVocabulary, type Vocabulary } from './vocabulary.js';

export interface Tokens {
  readonly ids: number[];
  /** Each as the vocabulary writes it. Their lengths add up alike however the text around them was cut. */
  readonly tokens: string[];
}

export interface Tokenizer {
  readonly vocabulary: Vocabulary;
  /** Nothing is added; markers in the text are matched. */
  tokenize(text: string): Tokens;
  /** What the tokenizer itself puts around a text, like a beginning-of-sequence token. */
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
    throw new TextError(`${file.path} has a part that cannot be used here: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** Keys that the package wants written down, and the type that old files leave out. */
function createEncoder({ content }: JsonFile): Encoder {
  const optional = { normalizer: null, pre_tokenizer: null, post_processor: null, added_tokens: [] };
  const model = { type: 'BPE', ...(content.model as object) };
  return new PackageTokenizer({ ...optional, ...content, model }, {});
}

function findFrame(encoder: Encoder): Tokenizer['frame'] {
  const probe = 'a';
  const bare = encoder.encode(probe, { add_special_tokens: false }).ids;
  const framed = encoder.encode(probe, { add_special_tokens: true }).ids;
  if (framed.includes(undefined as never)) throw new Error('post_processor names a token that is not there');
  const start = framed.findIndex((_, index) => bare.every((id, offset) => framed[index + offset] === id));
  return { before: framed.slice(0, start), after: framed.slice(start + bare.length) };
}
