// An append-only numeric series. Snapshots share one backing array, so appending is cheap. Each reads only its own
// first `length` items, so an old snapshot never changes.

export interface MetricSeries {
  /** Shared with newer snapshots and may be longer than this one: read only the first `length` items. */
  readonly steps: readonly number[];
  /** Like `steps`: read only the first `length` items. */
  readonly values: readonly number[];
  readonly length: number;
  /** The extremes are null while the series is empty. */
  readonly minStep: number | null;
  readonly maxStep: number | null;
  readonly minValue: number | null;
  readonly maxValue: number | null;
  /** True while no step is lower than the one before it. */
  readonly ascending: boolean;
}

export const emptySeries: MetricSeries = {
  steps: [],
  values: [],
  length: 0,
  minStep: null,
  maxStep: null,
  minValue: null,
  maxValue: null,
  ascending: true,
};

/** The series with one more point. A step or value that is not finite cannot be drawn and is ignored. */
export function appendPoint(series: MetricSeries, step: number, value: number): MetricSeries {
  if (!Number.isFinite(step) || !Number.isFinite(value)) return series;
  const { length } = series;
  const newest = length > 0 && series.steps.length === length;
  const steps = newest ? (series.steps as number[]) : series.steps.slice(0, length);
  const values = newest ? (series.values as number[]) : series.values.slice(0, length);
  steps.push(step);
  values.push(value);
  return {
    steps,
    values,
    length: length + 1,
    minStep: Math.min(series.minStep ?? step, step),
    maxStep: Math.max(series.maxStep ?? step, step),
    minValue: Math.min(series.minValue ?? value, value),
    maxValue: Math.max(series.maxValue ?? value, value),
    ascending: series.ascending && (length === 0 || step >= steps[length - 1]!),
  };
}

/** The value of the last event at exactly that step. */
export function valueAtStep(series: MetricSeries, step: number): number | undefined {
  let index = series.ascending ? countSteps(series, step, true) - 1 : series.length - 1;
  if (!series.ascending) while (index >= 0 && series.steps[index] !== step) index--;
  return series.steps[index] === step ? series.values[index] : undefined;
}

/** The greatest step below `position`, or at it when `inclusive`. */
export function stepBefore(series: MetricSeries, position: number, inclusive = false): number | null {
  if (series.ascending) return series.steps[countSteps(series, position, inclusive) - 1] ?? null;
  let found: number | null = null;
  for (let index = 0; index < series.length; index++) {
    const step = series.steps[index]!;
    const before = step < position || (inclusive && step === position);
    if (before && (found === null || step > found)) found = step;
  }
  return found;
}

/** The smallest step above `position`. */
export function stepAfter(series: MetricSeries, position: number): number | null {
  if (series.ascending) {
    const index = countSteps(series, position, true);
    return index < series.length ? series.steps[index]! : null;
  }
  let found: number | null = null;
  for (let index = 0; index < series.length; index++) {
    const step = series.steps[index]!;
    if (step > position && (found === null || step < found)) found = step;
  }
  return found;
}

// How many leading points of an ascending series lie below `position`, or at it when `inclusive`.
function countSteps(series: MetricSeries, position: number, inclusive: boolean): number {
  let low = 0;
  let high = series.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const step = series.steps[middle]!;
    if (step < position || (inclusive && step === position)) low = middle + 1;
    else high = middle;
  }
  return low;
}
