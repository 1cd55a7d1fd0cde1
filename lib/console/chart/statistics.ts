// The figures on the statistics cards: mean with 95% half-width, spread and upper percentiles.

/** A figure is null if it is undefined or overflows. */
export interface Summary {
  readonly count: number;
  readonly mean: number | null;
  /** Half the width of the 95% confidence interval of the mean. */
  readonly halfWidth: number | null;
  readonly standardDeviation: number | null;
  /** The sample estimate (n - 1). */
  readonly variance: number | null;
  readonly p90: number | null;
  readonly p95: number | null;
}

/** Summarizes the first `length` values, in any order. */
export function summarize(values: ArrayLike<number>, length: number = values.length): Summary {
  const sorted = new Float64Array(length);
  for (let index = 0; index < length; index++) sorted[index] = values[index]!;
  sorted.sort();

  const mean = length > 0 ? meanOf(sorted) : Number.NaN;
  const variance = length > 1 ? sampleVariance(sorted, mean) : Number.NaN;
  const standardDeviation = Math.sqrt(variance);
  return {
    count: length,
    mean: finiteOrNull(mean),
    halfWidth: finiteOrNull((criticalValue95(length) * standardDeviation) / Math.sqrt(length)),
    standardDeviation: finiteOrNull(standardDeviation),
    variance: finiteOrNull(variance),
    p90: finiteOrNull(percentile(sorted, 90)),
    p95: finiteOrNull(percentile(sorted, 95)),
  };
}

/**
 * The `q`-th percentile (0 to 100) of ascending values, interpolated linearly as numpy does by default. Both forms of
 * the interpolation are numpy's, so the last digit agrees. NaN without values.
 */
export function percentile(sorted: ArrayLike<number>, q: number): number {
  const position = (sorted.length - 1) * (q / 100);
  const index = Math.floor(position);
  const weight = position - index;
  const low = sorted[index] ?? Number.NaN;
  const high = sorted[index + 1] ?? low;
  return weight < 0.5 ? low + (high - low) * weight : high - (high - low) * (1 - weight);
}

/**
 * Two-sided 95% critical values of Student's t, t(0.975, df) for df = 1 to 30, rounded from 40 digits.
 * tests/golden/statistics holds the independent reference. @internal
 */
export const STUDENT_T_95: readonly number[] = [
  12.706204736174705, 4.302652729749464, 3.1824463052837095, 2.7764451051977943, 2.5705818356363155,
  2.44691185114497, 2.3646242515927853, 2.3060041352041667, 2.2621571627982053, 2.228138851986275,
  2.2009851600916397, 2.178812829667229, 2.1603686564627926, 2.144786687917804, 2.1314495455597755,
  2.1199052992212546, 2.109815577833317, 2.1009220402410387, 2.0930240544083096, 2.085963447265865,
  2.0796138447276804, 2.0738730679040263, 2.0686576104190486, 2.063898561628026, 2.0595385527532977,
  2.055529438642873, 2.0518305164802855, 2.048407141795245, 2.0452296421327043, 2.042272456301238,
];

/** The critical value for the 95% interval of the mean of `count` values: t up to 31 values, z = 1.96 above. @internal */
export function criticalValue95(count: number): number {
  return STUDENT_T_95[count - 2] ?? 1.96;
}

// The second pass corrects the rounding error of the first.
function meanOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  const rough = sum / values.length;
  let rest = 0;
  for (const value of values) rest += value - rough;
  return rough + rest / values.length;
}

function sampleVariance(values: Float64Array, mean: number): number {
  let squares = 0;
  let rest = 0;
  for (const value of values) {
    const deviation = value - mean;
    squares += deviation * deviation;
    rest += deviation;
  }
  // The rounded mean leaves a remainder that would inflate the squares.
  return Math.max(0, squares - (rest * rest) / values.length) / (values.length - 1);
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
