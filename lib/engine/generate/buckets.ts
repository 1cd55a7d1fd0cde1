// The sizes that a cache grows and shrinks in: slightly more than needed, so that it is rarely reallocated.

const SMALLEST_STEP = 64;

/** Slots for `needed` sequences: powers of two. */
export function slotBucket(needed: number, current: number): number {
  const wanted = needed === 0 ? 0 : 2 ** Math.ceil(Math.log2(needed));
  return wanted > current || wanted * 4 <= current ? wanted : current;
}

/** Rows for `needed` tokens: four buckets to each doubling. */
export function lengthBucket(needed: number, current: number): number {
  const step = Math.max(SMALLEST_STEP, 2 ** Math.floor(Math.log2(Math.max(1, needed - 1))) / 4);
  const wanted = Math.ceil(needed / step) * step;
  return wanted > current || wanted * 2 <= current ? wanted : current;
}
