// How much memory keys and values of texts in progress may take, and what a layout of them takes. Pure but for the look
// at the machine.
import { totalmem } from 'node:os';
import type { ModelConfig } from '../model/index.js';
import { lengthBucket, slotBucket } from './buckets.js';

export type CacheShape = Pick<ModelConfig, 'layers' | 'kvHeads' | 'headDim'>;

/** A quarter of what the machine, or the container around this process, has: the weights need room too. */
const SHARE = 4;

export function defaultBudget(): number {
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.min(totalmem(), limit) / SHARE;
}

/** One token's keys and values, as float32. */
export function rowBytes({ layers, kvHeads, headDim }: CacheShape): number {
  return 2 * layers * kvHeads * headDim * Float32Array.BYTES_PER_ELEMENT;
}

/** A cache that holds texts of these lengths side by side: each has as many rows as the longest. */
export function layoutBytes(shape: CacheShape, lengths: readonly number[]): number {
  if (lengths.length === 0) return 0;
  return slotBucket(lengths.length, 0) * lengthBucket(Math.max(...lengths), 0) * rowBytes(shape);
}

/** The longest text of which the cache stays within the budget. */
export function longestWithin(shape: CacheShape, budget: number, wanted: number): number {
  let length = Math.min(wanted, Math.floor(budget / rowBytes(shape)));
  while (length > 0 && layoutBytes(shape, [length]) > budget) length -= 1;
  return length;
}
