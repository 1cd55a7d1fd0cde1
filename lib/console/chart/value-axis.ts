// The y-axis of a chart: its range, on a linear or logarithmic scale, with or without outliers, and its ticks.
import { formatNumber } from '../text/format.js';
import { emptySeries, extendSeries, type MetricSeries } from './series.js';
import { percentile } from './statistics.js';
import { niceTicks, type Tick, toFraction } from './ticks.js';

export interface ValueScale {
  readonly isLog: boolean;
  readonly min: number;
  readonly max: number;
}

interface Range {
  readonly min: number;
  readonly max: number;
}

interface ValueScaleOptions {
  readonly isLog?: boolean | undefined;
  readonly ignoresOutliers?: boolean | undefined;
}

/** With fewer values, nothing counts as an outlier. */
const LEAST_VALUES = 10;
/** The maximum percentage of outliers at either end. */
const OUTER_PERCENT = 10;
/**
 * Outliers lie this many times the inner range beyond it, farther than the end of a line or a steep descent.
 */
const FAR = 2;
/** The same factor if most values are equal and the inner range is empty. */
const OUTER_OF_EQUALS = 2;
/** Ticks closer than this share of the axis to an end's label are dropped. */
const CROWDED = 0.07;
/** The usual number of digits, as in the rest of the chart. */
const USUAL_DIGITS = 4;
const MOST_DIGITS = 17;
/** How far rounding may move an end's label, as a share of the axis. */
const UNSEEN = 0.005;

/** Null without values. A logarithmic scale needs a value above 0. */
export function toValueScale(
  all: readonly MetricSeries[],
  { isLog = false, ignoresOutliers = false }: ValueScaleOptions = {},
): ValueScale | null {
  const filled = all.filter(({ length }) => length > 0);
  if (filled.length === 0) return null;
  const whole = {
    min: Math.min(...filled.map(({ minValue }) => minValue!)),
    max: Math.max(...filled.map(({ maxValue }) => maxValue!)),
  };
  const log = isLog && whole.max > 0;
  const ends = log ? { ...whole, min: Math.min(...filled.map(leastPositive)) } : whole;
  return { isLog: log, ...((ignoresOutliers && innerRange(filled, log)) || ends) };
}

/**
 * 0 at the bottom of the axis, 1 at its top; outliers are outside. NaN if a logarithmic scale cannot show the
 * value.
 */
export function valueFraction({ isLog, min, max }: ValueScale, value: number): number {
  if (!isLog) return toFraction(value, min, max);
  return value > 0 ? toFraction(Math.log10(value), Math.log10(min), Math.log10(max)) : Number.NaN;
}

/** The exact lowest and highest values, with ticks at 1, 2 or 5 times a power of ten in between. */
export function valueTicks(scale: ValueScale): Tick[] {
  const { isLog, min, max } = scale;
  const ticks = isLog && max > min ? logTicks(min, max) : niceTicks(min, max);
  if (min === max) return ticks;
  const end = (value: number): Tick =>
    ticks.find(tick => tick.value === value) ?? { value, label: endLabel(value, scale) };
  const inner = ticks.filter(({ value }) => {
    const place = valueFraction(scale, value);
    return place >= CROWDED && place <= 1 - CROWDED;
  });
  return [end(min), ...inner, end(max)];
}

/** Formats an end of the axis with enough digits to be accurate at its position. */
export function endLabel(value: number, { min, max }: Pick<ValueScale, 'min' | 'max'>): string {
  // Each end separately, because the width of the range may overflow.
  const unseen = max * UNSEEN - min * UNSEEN;
  let digits = USUAL_DIGITS;
  while (digits < MOST_DIGITS && Math.abs(Number(value.toPrecision(digits)) - value) > unseen) digits++;
  return formatNumber(value, digits);
}

/** How many values lie beyond the range. */
export function countBeyond({ values, length }: MetricSeries, { min, max }: ValueScale): number {
  let count = 0;
  for (let index = 0; index < length; index++) if (values[index]! < min || values[index]! > max) count++;
  return count;
}

const FEW_DECADES = 2;
const MOST_DECADES = 8;

function logTicks(min: number, max: number): Tick[] {
  const decades = Math.log10(max) - Math.log10(min);
  const first = Math.floor(Math.log10(min));
  const every = Math.max(1, Math.ceil(decades / MOST_DECADES));
  const units = decades <= FEW_DECADES ? [1, 2, 5] : [1];
  const values: number[] = [];
  for (let exponent = first; exponent <= Math.ceil(Math.log10(max)); exponent += every)
    for (const unit of units) values.push(Number(`${unit}e${exponent}`));
  const inside = values.filter(value => value >= min && value <= max);
  // Less than a factor of two or so is close to linear.
  return inside.length < 2
    ? niceTicks(min, max)
    : inside.map(value => ({ value, label: formatNumber(value) }));
}

function innerRange(all: readonly MetricSeries[], isLog: boolean): Range | null {
  const ranges = all
    .filter(({ length }) => length >= LEAST_VALUES)
    .map(series => innerRangeOf(series, isLog));
  const known = ranges.filter(range => range !== null);
  if (known.length === 0) return null;
  const few = all.filter(({ length, maxValue }) => length < LEAST_VALUES && (!isLog || maxValue! > 0));
  return {
    min: Math.min(
      ...known.map(({ min }) => min),
      ...few.map(few => (isLog ? leastPositive(few) : few.minValue!)),
    ),
    max: Math.max(...known.map(({ max }) => max), ...few.map(({ maxValue }) => maxValue!)),
  };
}

/** The range of the values that are not outliers. */
function innerRangeOf(series: MetricSeries, isLog: boolean): Range | null {
  const fences = fencesOf(series, isLog);
  if (!fences) return null;
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let index = 0; index < series.length; index++) {
    const value = series.values[index]!;
    if (value < fences.min || value > fences.max) continue;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return min <= max ? { min, max } : null;
}

/**
 * The limits beyond which values are outliers; on a logarithmic scale, values without a logarithm are, too.
 */
function fencesOf({ values, length }: MetricSeries, isLog: boolean): Range | null {
  const all = Float64Array.from({ length }, (_, index) => values[index]!);
  const sorted = (isLog ? all.filter(value => value > 0).map(Math.log) : all).sort();
  if (sorted.length === 0) return null;
  const [low, high] = [percentile(sorted, OUTER_PERCENT), percentile(sorted, 100 - OUTER_PERCENT)];
  const reach = FAR * (high - low);
  const [min, max] =
    reach > 0
      ? [low - reach, high + reach]
      : [percentile(sorted, OUTER_OF_EQUALS), percentile(sorted, 100 - OUTER_OF_EQUALS)];
  return isLog ? { min: Math.exp(min), max: Math.exp(max) } : { min, max };
}

/**
 * The series without its outliers, for example for smoothing, where an outlier would distort all later
 * values.
 */
export function withoutOutliers(series: MetricSeries, isLog: boolean): MetricSeries {
  const range = series.length < LEAST_VALUES ? null : innerRangeOf(series, isLog);
  if (!range) return series;
  const inner = extendSeries(emptySeries);
  for (let index = 0; index < series.length; index++) {
    const value = series.values[index]!;
    if (value >= range.min && value <= range.max) inner.add(series.steps[index]!, value);
  }
  return inner.build();
}

/** Extends the scale to include these lines. */
export function widenScale(scale: ValueScale, lines: readonly MetricSeries[]): ValueScale {
  const filled = lines.filter(({ length, maxValue }) => length > 0 && (!scale.isLog || maxValue! > 0));
  return {
    ...scale,
    min: Math.min(scale.min, ...filled.map(line => (scale.isLog ? leastPositive(line) : line.minValue!))),
    max: Math.max(scale.max, ...filled.map(({ maxValue }) => maxValue!)),
  };
}

function leastPositive({ values, length, minValue }: MetricSeries): number {
  if (minValue! > 0) return minValue!;
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index < length; index++)
    if (values[index]! > 0 && values[index]! < least) least = values[index]!;
  return least;
}
