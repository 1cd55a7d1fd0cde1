// An append-only numeric series. Snapshots share one backing array, so appending is cheap. Each reads only its own
// first `length` items, so an old snapshot never changes.

export interface MetricSeries {
  /** Shared with newer snapshots and may be longer than this one: read only the first `length` items. */
  readonly steps: readonly number[];
  /** Like `steps`: read only the first `length` items. */
  readonly values: readonly number[];
  readonly length: number;
  /** Extremes are null while the series is empty. */
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

/** Appends many points without creating a snapshot for each. */
export interface SeriesBuilder {
  /** The last value, and the greatest step. */
  readonly last: number | undefined;
  readonly maxStep: number | null;
  add(step: number, value: number): void;
  /** Creates a snapshot. */
  build(): MetricSeries;
}

/** A step or value that is not finite cannot be drawn and is ignored. */
export function extendSeries(series: MetricSeries): SeriesBuilder {
  const newest = series.length > 0 && series.steps.length === series.length;
  const steps = newest ? (series.steps as number[]) : series.steps.slice(0, series.length);
  const values = newest ? (series.values as number[]) : series.values.slice(0, series.length);
  let { length, minStep, maxStep, minValue, maxValue, ascending } = series;
  return {
    get last() {
      return length === 0 ? undefined : values[length - 1];
    },
    get maxStep() {
      return maxStep;
    },
    add(step, value) {
      if (!Number.isFinite(step) || !Number.isFinite(value)) return;
      ascending &&= length === 0 || step >= steps[length - 1]!;
      steps.push(step);
      values.push(value);
      length++;
      if (minStep === null || step < minStep) minStep = step;
      if (maxStep === null || step > maxStep) maxStep = step;
      if (minValue === null || value < minValue) minValue = value;
      if (maxValue === null || value > maxValue) maxValue = value;
    },
    build: () =>
      length === series.length
        ? series
        : { steps, values, length, minStep, maxStep, minValue, maxValue, ascending },
  };
}

/** The series with one more point. @internal */
export function appendPoint(series: MetricSeries, step: number, value: number): MetricSeries {
  const builder = extendSeries(series);
  builder.add(step, value);
  return builder.build();
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

/** Across several series: the step of the point nearest to a fractional step; on a tie, the lower one. Null without points. */
export function nearestOf(all: readonly MetricSeries[], position: number): number | null {
  const below = greatest(all.map(series => stepBefore(series, position, true)));
  const above = smallest(all.map(series => stepAfter(series, position)));
  if (below === null || above === null) return below ?? above;
  return position - below <= above - position ? below : above;
}

/** The step of the next point to the left (-1) or right (1). */
export function neighborOf(all: readonly MetricSeries[], step: number, direction: -1 | 1): number | null {
  return direction < 0
    ? greatest(all.map(series => stepBefore(series, step)))
    : smallest(all.map(series => stepAfter(series, step)));
}

/** Where a key moves a cursor to; null for other keys, or if there are no more points that way. */
export function moveAmong(key: string, all: readonly MetricSeries[], step: number): number | null {
  if (key === 'ArrowLeft') return neighborOf(all, step, -1);
  if (key === 'ArrowRight') return neighborOf(all, step, 1);
  if (key === 'Home') return nearestOf(all, Number.NEGATIVE_INFINITY);
  return key === 'End' ? nearestOf(all, Number.POSITIVE_INFINITY) : null;
}

export function smallest(numbers: (number | null)[]): number | null {
  const present = numbers.filter(number => number !== null);
  return present.length > 0 ? Math.min(...present) : null;
}

export function greatest(numbers: (number | null)[]): number | null {
  const present = numbers.filter(number => number !== null);
  return present.length > 0 ? Math.max(...present) : null;
}
