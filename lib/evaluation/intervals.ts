// 95 % intervals: Wilson's for shares, and bootstrap for other figures of rows. What is random depends only on a seed, so the
// same rows always have the same interval.
import { createRandom, type Random } from '../engine/random.js';

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The 97.5th percentile of the normal distribution. */
export const Z_95 = 1.959963984540054;

/** Wilson's score interval of a share. @internal */
export function wilsonInterval(hits: number, count: number): Interval {
  if (count === 0) return { low: 0, high: 1 };
  const share = hits / count;
  const z2 = Z_95 ** 2 / count;
  const middle = share + z2 / 2;
  const half = Z_95 * Math.sqrt((share * (1 - share) + z2 / 4) / count);
  return {
    low: hits === 0 ? 0 : (middle - half) / (1 + z2),
    high: hits === count ? 1 : (middle + half) / (1 + z2),
  };
}

const RESAMPLES = 2000;

/** The percentile bootstrap of a figure of rows: `measure` gets the indices of a resample. */
export function bootstrapInterval(
  count: number,
  measure: (resample: Uint32Array) => number,
  seed = 1,
): Interval {
  const random = createRandom(seed, count);
  const resample = new Uint32Array(count);
  const figures = Float64Array.from({ length: RESAMPLES }, () => {
    draw(resample, random);
    return measure(resample);
  }).sort();
  return { low: figures[Math.floor(0.025 * RESAMPLES)]!, high: figures[Math.ceil(0.975 * RESAMPLES) - 1]! };
}

/** Of the mean of values: Wilson's if all are 0 or 1, where few rows would have no spread to resample. */
export function meanInterval(values: readonly number[], seed?: number): Interval {
  if (values.every(value => value === 0 || value === 1)) return wilsonInterval(sum(values), values.length);
  return bootstrapInterval(
    values.length,
    resample => {
      let total = 0;
      for (const index of resample) total += values[index]!;
      return total / resample.length;
    },
    seed,
  );
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function draw(resample: Uint32Array, random: Random): void {
  for (let index = 0; index < resample.length; index++)
    resample[index] = Math.floor(random.next() * resample.length);
}
