// Encodes text as IDs, with the string of each token, in pieces: megabytes take a while, and others wait. The tokenizer
// package splits texts into words; their tokens are found here.
import { Tokenizer as PackageTokenizer } from '@huggingface/tokenizers';
import { reasonOf, TextError } from './errors.js';
import { isObject, type JsonFile } from './text-files.js';
import { byteCharacters, readVocabulary, type Vocabulary } from './vocabulary.js';
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
  /** Adds no special tokens, but recognizes markers in the text. */
  tokenize(text: string): Tokens;
  /** The same in pieces. Yields between them: how many tokens there are at least. */
  tokenizeInPieces(text: string): Generator<number, Tokens>;
  /** The special tokens that the tokenizer adds around a text, such as a beginning-of-sequence token. */
  readonly frame: { readonly before: readonly number[]; readonly after: readonly number[] };
}

/** A marker, or the words of the text between two of them. */
type Part = string | readonly string[];

type Split = (text: string, options: { add_special_tokens: boolean }) => readonly Part[];

export function createTokenizer(file: JsonFile): Tokenizer {
  const vocabulary = readVocabulary(file);
  try {
    const { preTokenizer, byteLevel } = takeOutBytes(stepsOf(file.content.pre_tokenizer).map(splitAllDigits));
    const split = createSplit(file, preTokenizer);
    const encodeWords = createWordEncoder(file.content.model as object, vocabulary, { byteLevel });

    function* tokenizeInPieces(text: string): Generator<number, Tokens> {
      const parts = split(text, { add_special_tokens: false });
      const progress: Progress = { tokens: [], left: countCharacters(parts) };
      const { tokens } = progress;
      const atLeast = () => tokens.length + Math.ceil(progress.left / vocabulary.longest);
      yield atLeast();
      for (const part of parts) {
        if (typeof part !== 'string') for (const _ of encodeWords(part, progress)) yield atLeast();
        else {
          tokens.push(part);
          progress.left -= part.length;
        }
      }
      return { tokens, ids: tokens.map(token => vocabulary.idOf(token)!) };
    }

    return {
      shrinking: byteLevel && keepsCharacters(file, vocabulary) ? 1 : MOST_SHRINKING,
      vocabulary,
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

/** Of a pre-tokenizer, which may be a sequence of others. */
function stepsOf(given: unknown): unknown[] {
  const steps = isObject(given) && given.type === 'Sequence' ? given.pretokenizers : [given];
  return Array.isArray(steps) ? [...steps] : [];
}

/** How GPT-2 splits a text into words, which `ByteLevel` does too unless it is told not to. */
const GPT2_WORDS = String.raw`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`;

/** Words are written as bytes last, which takes the package longer than all the rest, so it is left to the words' encoder. */
function takeOutBytes(steps: readonly unknown[]): { preTokenizer: unknown; byteLevel: boolean } {
  const [last, ...before] = steps.toReversed();
  if (!isObject(last) || last.type !== 'ByteLevel' || last.add_prefix_space)
    return { preTokenizer: steps.some(isObject) ? sequence(steps) : null, byteLevel: false };
  const others = last.use_regex === false ? before : [splitAt(GPT2_WORDS), ...before];
  return { preTokenizer: sequence(others.reverse()), byteLevel: true };
}

const sequence = (pretokenizers: readonly unknown[]) => ({ type: 'Sequence', pretokenizers });

const splitAt = (pattern: string) => ({
  type: 'Split',
  pattern: { Regex: pattern },
  behavior: 'Isolated',
  invert: false,
});

/** The package knows the digits 0 to 9 only, but `²` and `٣` are digits too. */
function splitAllDigits(step: unknown): unknown {
  if (!isObject(step) || step.type !== 'Digits') return step;
  return splitAt(step.individual_digits ? String.raw`\p{N}` : String.raw`\p{N}+`);
}

/** Adds keys that the package requires. Its model gets no merges: it hands out the words. */
function createSplit({ content }: JsonFile, pre_tokenizer: unknown): Split {
  const optional = { normalizer: null, post_processor: null, decoder: null, added_tokens: [] };
  const model = { type: 'BPE', vocab: {}, merges: [] };
  const splitter = new PackageTokenizer({ ...optional, ...content, pre_tokenizer, model }, {});
  const keepWords = (words: string[]) => [words];
  splitter.model = Object.assign(keepWords, splitter.model) as unknown as typeof splitter.model;
  return (text, options) => splitter.tokenize(text, options) as readonly Part[];
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
