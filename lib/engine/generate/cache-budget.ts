// How much memory the KV cache may use, how much a layout needs, and the sizes that it grows and shrinks in.
import { totalmem } from 'node:os';
import { sizeOf } from '../graph/index.js';
import { type CacheShape, type ModelSource, weightShapes } from '../model/index.js';

/** Shares of the machine's or container's memory: for everything, and at least for the cache, even with a large model. */
const [SHARE, LEAST_CACHE_SHARE] = [1 / 3, 1 / 8];

/** The cache's share of the total budget, which defaults to a share of the machine's memory. */
export function cacheBudgetIn(memory: number | undefined, sessions: number): number {
  if (memory !== undefined) return memory - sessions;
  const limit = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.max(limit * SHARE - sessions, limit * LEAST_CACHE_SHARE);
}

/** The most of the cache that prefixes of earlier requests may use. */
const [PREFIX_SHARE, MOST_PREFIX_BYTES] = [1 / 4, 512 * 2 ** 20];

export const prefixBudgetIn = (cacheBudget: number) =>
  Math.min(cacheBudget * PREFIX_SHARE, MOST_PREFIX_BYTES);

/** Both sessions of a model are kept only if they are small. */
const SMALL_SESSION = 256 * 2 ** 20;

export const isSmall = (sessionBytes: number) => sessionBytes <= SMALL_SESSION;

/** The approximate size of a session: the weights, plus a float32 copy of the embeddings. */
export function sessionBytes({
  config,
  bytesPerWeight,
}: Pick<ModelSource, 'config' | 'bytesPerWeight'>): number {
  const weights = [...weightShapes(config).values()].reduce((sum, shape) => sum + sizeOf(shape), 0);
  const table = config.tied ? config.vocabulary * config.hidden * Float32Array.BYTES_PER_ELEMENT : 0;
  return weights * bytesPerWeight + table;
}

const FLOAT = Float32Array.BYTES_PER_ELEMENT;

/** The bytes of one token's keys and values, in float32. @internal */
export function rowBytes({ attending, kvHeads, headDim }: CacheShape): number {
  return 2 * attending.length * kvHeads * headDim * FLOAT;
}

/** The bytes of the states of a sequence. */
function stateBytes({ states }: CacheShape): number {
  return states.reduce((sum, { shape }) => sum + sizeOf(shape), 0) * FLOAT;
}

/** The bytes of slots with this many rows. */
export function layoutSize(shape: CacheShape, slots: number, capacity: number): number {
  return slots * (capacity * rowBytes(shape) + stateBytes(shape));
}

/**
 * After how many tokens of a prompt another snapshot is kept, for requests that begin with a part of it: snapshots take no more
 * memory than keys and values.
 */
export function tokensPerSnapshot(shape: CacheShape): number {
  const tokens = stateBytes(shape) / rowBytes(shape);
  return Number.isNaN(tokens) ? Number.POSITIVE_INFINITY : tokens;
}

/** Prompts are computed in chunks of about as many tokens, and snapshots are taken only between them. */
const FEWEST_PER_SNAPSHOT = 64;

/** The size of a cache for sequences of these lengths. Each slot has as many rows as the longest needs. */
export function layoutBytes(shape: CacheShape, lengths: readonly number[]): number {
  if (lengths.length === 0) return 0;
  return layoutSize(shape, slotBucket(lengths.length, 0), lengthBucket(Math.max(...lengths), 0));
}

/** The most that the snapshots of a sequence take: from time to time, and at the end of the prompt. */
export function snapshotBytes(shape: CacheShape, length: number): number {
  const snapshots = 1 + Math.floor(length / Math.max(FEWEST_PER_SNAPSHOT, tokensPerSnapshot(shape)));
  return snapshots * stateBytes(shape);
}

/** The size of a cache for one sequence, with its snapshots. */
export function sequenceBytes(shape: CacheShape, length: number): number {
  return layoutBytes(shape, [length]) + snapshotBytes(shape, length);
}

/** The longest sequence whose cache fits the budget. */
export function longestWithin(shape: CacheShape, budget: number, wanted: number): number {
  let [longest, over] = [0, wanted + 1];
  while (over - longest > 1) {
    const length = Math.floor((longest + over) / 2);
    if (sequenceBytes(shape, length) <= budget) longest = length;
    else over = length;
  }
  return longest;
}

/** Slots for `needed` sequences: powers of two, which may be more than needed, so that a cache is rarely reallocated. */
export function slotBucket(needed: number, current: number): number {
  const slots = needed === 0 ? 0 : 2 ** Math.ceil(Math.log2(needed));
  return slots > current || slots * 4 <= current ? slots : current;
}

const SMALLEST_STEP = 64;

/** Rows for `needed` tokens: four buckets to each doubling. */
export function lengthBucket(needed: number, current: number): number {
  const step = Math.max(SMALLEST_STEP, 2 ** Math.floor(Math.log2(Math.max(1, needed - 1))) / 4);
  const rows = Math.ceil(needed / step) * step;
  return rows > current || rows * 2 <= current ? rows : current;
}
