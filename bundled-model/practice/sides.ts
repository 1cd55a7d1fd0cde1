// The two sides of an example data set, which share no templates or values; see partition.ts of the corpus.
import type { Part } from '../corpus/index.js';

export type Side = 'train' | 'held-out';

export const PARTS: Record<Side, Part> = { train: 'practice', 'held-out': 'practice-held-out' };

/** The sides use separate numbers. The same number would give the same row in other words. */
export const FIRST_NUMBERS: Record<Side, number> = { train: 0, 'held-out': 2 ** 24 };
