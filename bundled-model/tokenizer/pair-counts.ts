// Counts pairs of neighboring tokens, and updates the counts while pairs are merged. Only words that contain a merged
// pair are visited, and in them only its neighbors change.
import { createQueue } from './queue.js';

/** A word that occurs `count` times, as currently split. */
export interface Word {
  readonly symbols: number[];
  readonly count: number;
}

export interface Pair {
  readonly left: number;
  readonly right: number;
}

interface CountedPair extends Pair {
  count: number;
  /** The count when the pair was queued. It can only have dropped since. */
  queuedCount: number;
  /** The words that contain it, or once did. */
  readonly words: number[];
}

/** For tokens with ids below `limit`. Changes the symbols of the words. */
export class PairCounts {
  readonly #words: readonly Word[];
  readonly #limit: number;
  readonly #pairs = new Map<number, CountedPair>();
  readonly #queue = createQueue<CountedPair>(
    (a, b) => (b.queuedCount - a.queuedCount || a.left - b.left || a.right - b.right) < 0,
  );
  /** Not queued yet, because their counts still grow. */
  #fresh: CountedPair[] = [];

  constructor(words: readonly Word[], limit: number) {
    this.#words = words;
    this.#limit = limit;
    for (const [index, { symbols }] of words.entries()) {
      for (let at = 1; at < symbols.length; at++) this.#raise(symbols[at - 1]!, symbols[at]!, index);
    }
    this.#enqueueFresh();
  }

  /** The most frequent pair that occurs more than once; among equals, the one with the oldest tokens. */
  takeBest(): Pair | undefined {
    for (;;) {
      const pair = this.#queue.pop();
      if (!pair || pair.count === pair.queuedCount) return pair;
      this.#enqueue(pair);
    }
  }

  /** Replaces every occurrence of a pair that was just taken with the token `made`. */
  merge(pair: Pair, made: number): void {
    const held = this.#find(pair.left, pair.right)?.words ?? [];
    for (const index of held) this.#mergeIn(index, pair, made);
    this.#enqueueFresh();
  }

  #mergeIn(index: number, { left, right }: Pair, made: number): void {
    const word = this.#words[index]!;
    const { symbols } = word;
    let length = 0;
    for (let at = 0; at < symbols.length; at++) {
      if (symbols[at] !== left || symbols[at + 1] !== right) {
        symbols[length++] = symbols[at]!;
        continue;
      }
      if (length > 0) {
        this.#lower(symbols[length - 1]!, left, word);
        this.#raise(symbols[length - 1]!, made, index);
      }
      if (at + 2 < symbols.length) {
        this.#lower(right, symbols[at + 2]!, word);
        this.#raise(made, symbols[at + 2]!, index);
      }
      symbols[length++] = made;
      at++;
    }
    symbols.length = length;
  }

  #raise(left: number, right: number, index: number): void {
    const pair = this.#find(left, right) ?? this.#add(left, right);
    pair.count += this.#words[index]!.count;
    if (pair.words.at(-1) !== index) pair.words.push(index);
  }

  #lower(left: number, right: number, { count }: Word): void {
    this.#find(left, right)!.count -= count;
  }

  #find(left: number, right: number): CountedPair | undefined {
    return this.#pairs.get(left * this.#limit + right);
  }

  #add(left: number, right: number): CountedPair {
    const pair = { left, right, count: 0, queuedCount: 0, words: [] };
    this.#pairs.set(left * this.#limit + right, pair);
    this.#fresh.push(pair);
    return pair;
  }

  #enqueueFresh(): void {
    for (const pair of this.#fresh) this.#enqueue(pair);
    this.#fresh = [];
  }

  #enqueue(pair: CountedPair): void {
    pair.queuedCount = pair.count;
    if (pair.count > 1) this.#queue.push(pair);
  }
}
