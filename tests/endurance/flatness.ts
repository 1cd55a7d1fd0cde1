// Whether a figure that was sampled over time stays where it is or grows. The beginning does not count: caches fill.
import { median } from '../bench/median.js';

export interface Growth {
  before: number;
  after: number;
  isFlat: boolean;
}

export interface Allowance {
  /** How far the end may lie above the beginning, as a share of it… */
  share: number;
  /** …or in figures, whichever is more. */
  atLeast: number;
}

const WARM_UP = 0.25;

/** Holds the median of the last third against that of the first, after the warm-up. */
export function measureGrowth(samples: readonly number[], { share, atLeast }: Allowance): Growth {
  const warm = samples.slice(Math.floor(samples.length * WARM_UP));
  const third = Math.max(1, Math.floor(warm.length / 3));
  const before = median(warm.slice(0, third));
  const after = median(warm.slice(-third));
  return { before, after, isFlat: after - before <= Math.max(before * share, atLeast) };
}
