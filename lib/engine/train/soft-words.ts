// What a teacher expected as integers of 32 bits, in caches and files of tokens.
import type { SoftLabels } from '../text/index.js';

/** The first token, how many have entries, where those of each end, then all tokens, and their shares by their bits. */
export function encodeSoft(soft: SoftLabels | undefined): Int32Array {
  if (!soft) return new Int32Array();
  const { first, ends, ids, shares } = soft;
  const words = new Int32Array(2 + ends.length + 2 * ids.length);
  words.set([first, ends.length]);
  words.set(ends, 2);
  words.set(ids, 2 + ends.length);
  words.set(new Int32Array(shares.buffer, shares.byteOffset, shares.length), 2 + ends.length + ids.length);
  return words;
}

/** Undefined for no words. */
export function decodeSoft(words: Int32Array): SoftLabels | undefined {
  if (words.length === 0) return undefined;
  const [first = 0, count = 0] = words;
  const ends = words.slice(2, 2 + count);
  const entries = words.slice(2 + count);
  const middle = entries.length / 2;
  return {
    first,
    ends,
    ids: entries.slice(0, middle),
    shares: new Float32Array(entries.slice(middle).buffer),
  };
}
