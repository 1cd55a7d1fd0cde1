// Which rows are held out for evaluation: a choice that the seed alone decides.
import { createRandom } from '../../random.js';

const heldOut = 0x68656c64;

/**
 * The indices of the rows held out, ascending: a `fraction` of the `count` rows, rounded, but at least one, and never
 * all. None when the fraction is 0 or there are fewer than two rows.
 */
export function splitEvaluation(count: number, fraction: number, seed: number): number[] {
  if (!(fraction >= 0 && fraction < 1)) throw new RangeError('fraction must be at least 0 and less than 1');
  if (fraction === 0 || count < 2) return [];
  const wanted = Math.min(count - 1, Math.max(1, Math.round(count * fraction)));
  const random = createRandom(seed, heldOut);
  const chosen: number[] = [];
  // Each row is taken with the probability that what is still wanted has among what is left.
  for (let index = 0; chosen.length < wanted; index++) {
    if (random.next() * (count - index) < wanted - chosen.length) chosen.push(index);
  }
  return chosen;
}
