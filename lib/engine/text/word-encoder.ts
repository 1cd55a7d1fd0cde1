// From words to tokens: merges their characters, or their bytes, and writes what the vocabulary lacks as bytes or as its
// unknown token.
import { byteCharacters, type Vocabulary } from './vocabulary.js';

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
  continuing_subword_prefix?: string | null;
  end_of_word_suffix?: string | null;
}

const AFFIXES = ['continuing_subword_prefix', 'end_of_word_suffix'] as const;

const MOST_CACHED = 10_000;
const LONGEST_CACHED = 256;

/** `byteLevel`: the vocabulary is written in the byte alphabet. */
export function createWordEncoder(
  model: BytePairModel,
  { idOf }: Vocabulary,
  { byteLevel }: { byteLevel: boolean },
): EncodeWords {
  const { merges = [], unk_token: unknown, fuse_unk, byte_fallback, ignore_merges } = model;
  const affix = AFFIXES.find(name => model[name]);
  if (affix) throw new Error(`BPE with ${affix}`);
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

/** `a b`, or in newer files a list of the two. */
type Merge = string | readonly [left: string, right: string];

/** The tokens of a word. Yields now and then before it returns. */
type MergeWord = (characters: readonly string[]) => Generator<void, readonly string[]>;

/** How many characters or merges take a moment. */
const PIECE = 20_000;

const UNKNOWN = -1;
const GONE = -2;
/** More than any vocabulary has tokens. */
const MOST_SYMBOLS = 2 ** 22;

/**
 * Byte-pair encoding: merges the characters of a word into tokens, the pair that was learned first before the others, and
 * from left to right. A word of millions of characters is merged in pieces, so that others can go ahead.
 */
function createPairMerger(merges: readonly Merge[]): MergeWord {
  const symbols: string[] = [];
  const ids = new Map<string, number>();
  const ranks = new Map<number, number>();
  const results: number[] = [];

  function toId(symbol: string): number {
    const known = ids.get(symbol);
    if (known !== undefined) return known;
    ids.set(symbol, symbols.length);
    return symbols.push(symbol) - 1;
  }

  for (const [rank, merge] of merges.entries()) {
    const [left = '', right = ''] = typeof merge === 'string' ? merge.split(' ', 2) : merge;
    ranks.set(toId(left) * MOST_SYMBOLS + toId(right), rank);
    results.push(toId(left + right));
  }

  return function* merge(characters) {
    const end = characters.length;
    const [at, next, previous] = [new Int32Array(end), new Int32Array(end), new Int32Array(end)];
    const queue = createQueue();

    /** Of the pair that starts here. */
    function rankAt(left: number): number | undefined {
      const right = next[left]!;
      if (right === end || at[left]! < 0 || at[right]! < 0) return undefined;
      return ranks.get(at[left]! * MOST_SYMBOLS + at[right]!);
    }

    function consider(left: number): void {
      const rank = rankAt(left);
      if (rank !== undefined) queue.push(rank * end + left);
    }

    for (let place = 0; place < end; place++) {
      if (place % PIECE === PIECE - 1) yield;
      at[place] = ids.get(characters[place]!) ?? UNKNOWN;
      next[place] = place + 1;
      previous[place] = place - 1;
      if (place > 0) consider(place - 1);
    }
    for (let done = 1; queue.size > 0; done++) {
      if (done % PIECE === 0) yield;
      const first = queue.pop();
      const [rank, left] = [Math.floor(first / end), first % end];
      // Its pair may have been merged with a neighbor since.
      if (rankAt(left) !== rank) continue;
      const right = next[left]!;
      at[left] = results[rank]!;
      at[right] = GONE;
      next[left] = next[right]!;
      if (next[left] < end) previous[next[left]!] = left;
      consider(left);
      if (previous[left]! >= 0) consider(previous[left]!);
    }

    const tokens: string[] = [];
    for (let place = 0; place < end; place = next[place]!)
      tokens.push(at[place] === UNKNOWN ? characters[place]! : symbols[at[place]!]!);
    return tokens;
  };
}

/** The smallest number first. */
function createQueue() {
  const heap: number[] = [];
  return {
    get size() {
      return heap.length;
    },
    push(value: number): void {
      let place = heap.length;
      while (place > 0) {
        const parent = (place - 1) >> 1;
        if (heap[parent]! <= value) break;
        heap[place] = heap[parent]!;
        place = parent;
      }
      heap[place] = value;
    },
    pop(): number {
      const first = heap[0]!;
      const last = heap.pop()!;
      if (heap.length === 0) return first;
      let place = 0;
      for (;;) {
        let child = 2 * place + 1;
        if (child >= heap.length) break;
        if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
        if (heap[child]! >= last) break;
        heap[place] = heap[child]!;
        place = child;
      }
      heap[place] = last;
      return first;
    },
  };
}
