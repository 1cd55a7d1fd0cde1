// Chooses the rows held out for evaluation. The choice depends only on the seed.
import { createRandom } from '../../random.js';

const heldOut = 0x68656c64;

/**
 * Ascending indices of the held-out rows: a `fraction` of `count`, rounded, but at least one and never all. Empty if the
 * fraction is 0 or there are fewer than two rows.
 */
export function splitEvaluation(count: number, fraction: number, seed: number): number[] {
  if (!(fraction >= 0 && fraction < 1)) throw new RangeError('fraction must be at least 0 and less than 1');
  if (fraction === 0 || count < 2) return [];
  const wanted = Math.min(count - 1, Math.max(1, Math.round(count * fraction)));
  const random = createRandom(seed, heldOut);
  const chosen: number[] = [];
  // Selection sampling: each row is taken with probability (rows still wanted) / (rows left).
  for (let index = 0; chosen.length < wanted; index++) {
    if (random.next() * (count - index) < wanted - chosen.length) chosen.push(index);
  }
  return chosen;
}
