// Learns a byte-level vocabulary. Starting from single bytes, it merges the most frequent pair of neighbors into a new
// token, again and again. No two pairs make the same token, so each merge adds one.
import { byteCharacters } from './byte-alphabet.js';
import { PairCounts, type Word } from './pair-counts.js';
import { listSpecialTokens } from './special-tokens.js';
import { createWordSplitter } from './split-words.js';

export interface TrainOptions {
  /** Size of the vocabulary, including reserved tokens. */
  readonly vocabulary: number;
  /** How many tokens to reserve for later. Default: 5. */
  readonly reserved?: number;
}

export interface BpeModel {
  /** By id: the special tokens, one for each byte, then the merged tokens in order. */
  readonly tokens: readonly string[];
  readonly specials: readonly string[];
  /** The two tokens of each merge, in order. */
  readonly merges: readonly (readonly [left: string, right: string])[];
}

/** The same texts give the same model in any order. Special tokens in them are skipped. */
export function trainBpe(texts: Iterable<string>, { vocabulary, reserved = 5 }: TrainOptions): BpeModel {
  const specials = listSpecialTokens(reserved);
  const tokens = [...specials, ...byteCharacters];
  if (!Number.isInteger(vocabulary) || vocabulary < tokens.length)
    throw new RangeError(`A vocabulary has a whole number of tokens, ${tokens.length} or more.`);

  const pairs = new PairCounts(toWords(countWords(texts, specials), specials.length), vocabulary);
  const merges: [string, string][] = [];
  while (tokens.length < vocabulary) {
    const pair = pairs.takeBest();
    if (!pair)
      throw new RangeError(`These texts give only ${tokens.length} tokens: ask for no more than that.`);
    pairs.merge(pair, tokens.length);
    const merge: [string, string] = [tokens[pair.left]!, tokens[pair.right]!];
    merges.push(merge);
    tokens.push(merge.join(''));
  }
  return { tokens, specials, merges };
}

function countWords(texts: Iterable<string>, specials: readonly string[]): Map<string, number> {
  const split = createWordSplitter(specials);
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const word of split(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  for (const special of specials) counts.delete(special);
  return counts;
}

function toWords(counts: ReadonlyMap<string, number>, firstByte: number): Word[] {
  const utf8 = new TextEncoder();
  return Array.from(counts, ([word, count]) => ({
    symbols: Array.from(utf8.encode(word), byte => firstByte + byte),
    count,
  }));
}
