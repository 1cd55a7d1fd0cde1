// How much memory the KV cache may use, and how much a layout needs. Pure, except for reading the machine's memory.
import { totalmem } from 'node:os';
import type { ModelConfig } from '../model/index.js';
import { lengthBucket, slotBucket } from './buckets.js';

type CacheShape = Pick<ModelConfig, 'layers' | 'kvHeads' | 'headDim'>;

/** The weights need memory too, so the cache gets a quarter of the machine's or the container's. */
const DIVISOR = 4;

export function defaultBudget(): number {
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.min(totalmem(), limit) / DIVISOR;
}

/** The keys and values of one token, as float32. */
export function rowBytes({ layers, kvHeads, headDim }: CacheShape): number {
  return 2 * layers * kvHeads * headDim * Float32Array.BYTES_PER_ELEMENT;
}

/** The size of a cache for sequences of these lengths. Each slot has as many rows as the longest needs. */
export function layoutBytes(shape: CacheShape, lengths: readonly number[]): number {
  if (lengths.length === 0) return 0;
  return slotBucket(lengths.length, 0) * lengthBucket(Math.max(...lengths), 0) * rowBytes(shape);
}

/** The longest sequence whose cache fits the budget. */
export function longestWithin(shape: CacheShape, budget: number, wanted: number): number {
  let length = Math.min(wanted, Math.floor(budget / rowBytes(shape)));
  while (length > 0 && layoutBytes(shape, [length]) > budget) length -= 1;
  return length;
}
