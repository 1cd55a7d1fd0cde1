// Encodes text as IDs, with the string of each token, in pieces: megabytes take a while, and others wait. The tokenizer
// package splits texts into words; their tokens are found here.
import { Tokenizer as PackageTokenizer } from '@huggingface/tokenizers';
import { reasonOf, TextError } from './errors.js';
import { readPreTokenizer, stepsOf } from './pre-tokenizer.js';
import { isObject, type JsonFile } from './text-files.js';
import {
  type AddedToken,
  anyOfPattern,
  byteCharacters,
  readVocabulary,
  type Vocabulary,
} from './vocabulary.js';
import { createWordEncoder, type Progress } from './word-encoder.js';

export interface Tokens {
  readonly ids: number[];
  /** The tokens as the vocabulary writes them. Their total length does not depend on how the text was split. */
  readonly tokens: string[];
}

export interface Tokenizer {
  /** The largest factor by which a text gets shorter before it is written as tokens. */
  readonly shrinking: number;
  readonly vocabulary: Vocabulary;
  readonly markers: Markers;
  /** Adds no special tokens, but recognizes markers in the text. */
  tokenize(text: string): Tokens;
  /** The same in pieces. Yields between them: how many tokens there are at least. */
  tokenizeInPieces(text: string): Generator<number, Tokens>;
  /** The special tokens that the tokenizer adds around a text, such as a beginning-of-sequence token. */
  readonly frame: { readonly before: readonly number[]; readonly after: readonly number[] };
}

/** The added tokens that are matched in a text as it is, and never merge with others. */
interface Markers {
  /** Matches any of them, everywhere. Null if there are none. */
  readonly pattern: RegExp | null;
  has(token: string): boolean;
}

/** A marker, or the words of the text between two of them. */
type Part = string | readonly string[];

type Split = (text: string, options: { add_special_tokens: boolean }) => readonly Part[];

/** Null without a normalizer. */
type Normalize = ((text: string) => string) | null;

export function createTokenizer(file: JsonFile): Tokenizer {
  const vocabulary = readVocabulary(file);
  try {
    if (vocabulary.added.some(({ singleWord }) => singleWord))
      throw new Error('added_tokens with single_word');
    const { preTokenizer, byteLevel } = readPreTokenizer(file.content);
    const { split, normalize } = createSplit(file, preTokenizer);
    const encodeWords = createWordEncoder(file.content.model as object, vocabulary, { byteLevel });
    const isMarker = (token: AddedToken) => !normalize || !token.normalized;
    const normalizedIds = new Map(
      vocabulary.added.flatMap(token => (isMarker(token) ? [] : [[normalize!(token.content), token.id]])),
    );
    const longest = Math.max(vocabulary.longest, ...[...normalizedIds.keys()].map(({ length }) => length));

    function toId(token: string): number {
      const id = normalizedIds.get(token) ?? vocabulary.idOf(token);
      if (id === undefined)
        throw new TextError(`${file.path} has the token ${JSON.stringify(token)} without an ID.`);
      return id;
    }

    function* tokenizeInPieces(text: string): Generator<number, Tokens> {
      const parts = split(text, { add_special_tokens: false });
      const progress: Progress = { tokens: [], left: countCharacters(parts) };
      const { tokens } = progress;
      const atLeast = () => tokens.length + Math.ceil(progress.left / longest);
      yield atLeast();
      for (const part of parts) {
        if (typeof part !== 'string') for (const _ of encodeWords(part, progress)) yield atLeast();
        else {
          tokens.push(part);
          progress.left -= part.length;
        }
      }
      return { tokens, ids: tokens.map(toId) };
    }

    return {
      shrinking: byteLevel && keepsCharacters(file, vocabulary) ? 1 : MOST_SHRINKING,
      vocabulary,
      markers: toMarkers(vocabulary.added.filter(isMarker)),
      tokenize: text => finish(tokenizeInPieces(text)),
      tokenizeInPieces,
      frame: findFrame(split, vocabulary),
    };
  } catch (error) {
    throw new TextError(`${file.path} uses an unsupported feature: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** All pieces at once. */
export function finish<T>(pieces: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
  }
}

const MOST_SHRINKING = 4;

/** Whether every character of a text is in its words or markers. */
function keepsCharacters({ content }: JsonFile, { idOf }: Vocabulary): boolean {
  const { normalizer, pre_tokenizer, added_tokens: added = [] } = content;
  const keeps = (step: unknown) =>
    isObject(step) && (step.type === 'ByteLevel' || (step.type === 'Split' && step.behavior === 'Isolated'));
  const strips = (token: unknown) => isObject(token) && (token.lstrip === true || token.rstrip === true);
  const areKept = stepsOf(pre_tokenizer).every(keeps);
  const areKnown = [...byteCharacters].every(byte => idOf(byte) !== undefined);
  return !normalizer && areKnown && areKept && Array.isArray(added) && !added.some(strips);
}

function toMarkers(tokens: readonly AddedToken[]): Markers {
  const contents = tokens.map(({ content }) => content);
  const known = new Set(contents);
  return {
    pattern: contents.length > 0 ? new RegExp(anyOfPattern(contents), 'g') : null,
    has: token => known.has(token),
  };
}

/** Adds keys that the package requires. Its model gets no merges: it hands out the words. */
function createSplit({ content }: JsonFile, pre_tokenizer: unknown): { split: Split; normalize: Normalize } {
  const optional = { normalizer: null, post_processor: null, decoder: null, added_tokens: [] };
  const model = { type: 'BPE', vocab: {}, merges: [] };
  const splitter = new PackageTokenizer({ ...optional, ...content, pre_tokenizer, model }, {});
  const keepWords = (words: string[]) => [words];
  splitter.model = Object.assign(keepWords, splitter.model) as unknown as typeof splitter.model;
  const { normalizer } = splitter;
  return {
    split: (text, options) => splitter.tokenize(text, options) as readonly Part[],
    normalize: normalizer && (text => normalizer.normalize(text)),
  };
}

function countCharacters(parts: readonly Part[]): number {
  return parts.flat().reduce((sum, { length }) => sum + length, 0);
}

function findFrame(split: Split, { idOf }: Vocabulary): Tokenizer['frame'] {
  const parts = split('a', { add_special_tokens: true });
  const start = parts.findIndex(part => typeof part !== 'string');
  const ids = parts.map(part => (typeof part === 'string' ? idOf(part) : -1));
  if (ids.includes(undefined)) throw new Error('post_processor names a token that is not in the vocabulary');
  return { before: ids.slice(0, start) as number[], after: ids.slice(start + 1) as number[] };
}
