// From words to tokens: merges their characters, or their bytes, and writes what the vocabulary lacks as bytes or as its
// unknown token.
import { byteCharacters } from './byte-alphabet.js';
import { createPairMerger, type Merge, PIECE } from './pair-merger.js';
import type { Vocabulary } from './vocabulary.js';

/** Of a text: its tokens so far, and how many characters of its words are left. */
export interface Progress {
  readonly tokens: string[];
  left: number;
}

/** The words follow each other without a marker. Yields now and then. */
type EncodeWords = (words: readonly string[], progress: Progress) => Generator<void, void>;

/** The `model` of a tokenizer.json. */
interface BytePairModel {
  merges?: readonly Merge[];
  unk_token?: string | null;
  fuse_unk?: boolean;
  byte_fallback?: boolean;
  /** Words that are tokens stay whole, whatever the merges say. */
  ignore_merges?: boolean;
}

const MOST_CACHED = 10_000;
const LONGEST_CACHED = 256;

/** `byteLevel`: the vocabulary is written in the byte alphabet. */
export function createWordEncoder(
  model: BytePairModel,
  { idOf }: Vocabulary,
  { byteLevel }: { byteLevel: boolean },
): EncodeWords {
  const { merges = [], unk_token: unknown, fuse_unk, byte_fallback, ignore_merges } = model;
  const merge = createPairMerger(merges);
  const cache = new Map<string, readonly string[]>();

  function* encode(word: string): Generator<void, readonly string[]> {
    const characters = byteLevel ? writeBytes(word) : Array.from(word);
    const whole = ignore_merges ? characters.join('') : '';
    const isWhole = ignore_merges && idOf(whole) !== undefined;
    const found = isWhole ? [whole] : (yield* merge(characters)).flatMap(toKnown);
    if (word.length > LONGEST_CACHED) return found;
    if (cache.size === MOST_CACHED) cache.clear();
    cache.set(word, found);
    return found;
  }

  function toKnown(token: string): string | readonly string[] {
    if (idOf(token) !== undefined) return token;
    const bytes = byte_fallback ? Array.from(encoder.encode(token), toByteToken) : [];
    if (bytes.length > 0 && bytes.every(byte => idOf(byte) !== undefined)) return bytes;
    return unknown ?? [];
  }

  return function* encodeWords(words, progress) {
    const { tokens } = progress;
    const start = tokens.length;
    let pause = progress.left - PIECE;
    for (const word of words) {
      for (const token of cache.get(word) ?? (yield* encode(word))) {
        const isFused = fuse_unk && token === unknown && tokens.length > start && tokens.at(-1) === unknown;
        if (!isFused) tokens.push(token);
      }
      progress.left -= word.length;
      if (progress.left > pause) continue;
      pause = progress.left - PIECE;
      yield;
    }
  };
}

const encoder = new TextEncoder();

function writeBytes(word: string): string[] {
  const characters: string[] = [];
  for (const byte of encoder.encode(word)) characters.push(byteCharacters[byte]!);
  return characters;
}

function toByteToken(byte: number): string {
  return `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;
}
