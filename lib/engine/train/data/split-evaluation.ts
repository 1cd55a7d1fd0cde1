// Chooses the rows held out for evaluation: by what they say, so that a row stays on its side when the data set grows or
// is shuffled, and equal rows are on the same side. The seed of a run has no say in it, so that runs can be compared.
import { createRandom } from '../../random.js';

/** `position` is the rule of earlier versions, for runs that began with it. A change of either needs another name. */
export type SplitRule = 'content' | 'position';

const HASHES = 2 ** 32;

/**
 * Ascending indices of the held-out rows: those with the lowest hashes, about a `fraction` of the different rows. At
 * least one row is on each side, unless all are equal. Empty if the fraction is 0.
 */
export function splitByContent(hashes: Uint32Array, fraction: number): Uint32Array {
  assertFraction(fraction);
  if (fraction === 0) return new Uint32Array();
  let [lowest, highest] = [HASHES, -1];
  for (const hash of hashes) {
    if (hash < lowest) lowest = hash;
    if (hash > highest) highest = hash;
  }
  const limit = Math.min(Math.max(fraction * HASHES, lowest + 1), highest);
  const held: number[] = [];
  for (const [index, hash] of hashes.entries()) if (hash < limit) held.push(index);
  return Uint32Array.from(held);
}

const HELD_OUT = 0x68656c64;

/**
 * Ascending indices of the held-out rows: a `fraction` of `count`, rounded, but at least one and never all. Empty if the
 * fraction is 0 or there are fewer than two rows.
 */
export function splitByPosition(count: number, fraction: number, seed: number): Uint32Array {
  assertFraction(fraction);
  if (fraction === 0 || count < 2) return new Uint32Array();
  const wanted = Math.min(count - 1, Math.max(1, Math.round(count * fraction)));
  const random = createRandom(seed, HELD_OUT);
  const chosen: number[] = [];
  // Selection sampling: each row is taken with probability (rows still wanted) / (rows left).
  for (let index = 0; chosen.length < wanted; index++) {
    if (random.next() * (count - index) < wanted - chosen.length) chosen.push(index);
  }
  return Uint32Array.from(chosen);
}

function assertFraction(fraction: number): void {
  if (!(fraction >= 0 && fraction < 1)) throw new RangeError('fraction must be at least 0 and less than 1');
}
