// Picks the points of a long series to draw: both ends, plus the lowest and highest of each stretch.

/**
 * At most `limit` indices into the first `length` values, in order: all if they fit, else the first, the last and each
 * bucket's minimum and maximum. With a limit of 4 or more, the extremes always survive.
 */
export function downsample(values: ArrayLike<number>, length: number, limit: number): number[] {
  if (length <= limit) return Array.from({ length }, (_, index) => index);
  if (limit < 2) return limit < 1 ? [] : [0];
  const buckets = Math.floor((limit - 2) / 2);
  const chosen = [0];
  for (let bucket = 0; bucket < buckets; bucket++) {
    const start = 1 + Math.floor((bucket * (length - 2)) / buckets);
    const end = 1 + Math.floor(((bucket + 1) * (length - 2)) / buckets);
    chosen.push(...extremesWithin(values, start, end));
  }
  chosen.push(length - 1);
  return chosen;
}

// The first minimum and the last maximum, so that a flat bucket of two or more still yields two points.
function extremesWithin(values: ArrayLike<number>, start: number, end: number): number[] {
  let lowest = start;
  let highest = start;
  for (let index = start + 1; index < end; index++) {
    if (values[index]! < values[lowest]!) lowest = index;
    if (values[index]! >= values[highest]!) highest = index;
  }
  if (lowest === highest) return [lowest];
  return lowest < highest ? [lowest, highest] : [highest, lowest];
}
