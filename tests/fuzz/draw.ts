// Choices of a fuzz run, all from one seed.
import { createRandom } from '../support/random.js';

export interface Draw {
  /** A whole number from 0 up to and without `end`. */
  below(end: number): number;
  chance(share: number): boolean;
  pick<T>(choices: readonly T[]): T;
}

export function createDraw(seed: number): Draw {
  const { next } = createRandom(seed);
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    chance: share => next() < share,
    pick: choices => choices[below(choices.length)]!,
  };
}
