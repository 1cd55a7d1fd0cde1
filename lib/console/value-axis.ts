// The y-axis of a chart: its range, on a linear or logarithmic scale, with or without outliers, and its ticks.
import { formatNumber } from './format.js';
import type { MetricSeries } from './series.js';
import { percentile } from './statistics.js';
import { niceTicks, type Tick, toFraction } from './ticks.js';

export interface ValueScale {
  readonly isLog: boolean;
  readonly min: number;
  readonly max: number;
}

interface ValueScaleOptions {
  readonly isLog?: boolean | undefined;
  readonly ignoresOutliers?: boolean | undefined;
}

/** With fewer values, none is an outlier. */
const LEAST_VALUES = 10;
/** The lowest and highest percentage of values, which are outliers. */
const OUTLYING = 2;
/** Ticks closer to the lowest label than this share of the axis give way to it. */
const CROWDED = 0.07;

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

/** 0 at the bottom of the axis, 1 at its top; outliers lie beyond. NaN for what a logarithmic scale cannot show. */
export function valueFraction({ isLog, min, max }: ValueScale, value: number): number {
  if (!isLog) return toFraction(value, min, max);
  return value > 0 ? toFraction(Math.log10(value), Math.log10(min), Math.log10(max)) : Number.NaN;
}

/** Ticks at 1, 2 or 5 times a power of ten, and the lowest value. */
export function valueTicks(scale: ValueScale): Tick[] {
  const { isLog, min, max } = scale;
  const ticks = isLog && max > min ? logTicks(min, max) : niceTicks(min, max);
  if (min === max || ticks.some(({ value }) => valueFraction(scale, value) < CROWDED / 2)) return ticks;
  const lowest = { value: min, label: lowestLabel(min, ticks) };
  return [lowest, ...ticks.filter(({ value }) => valueFraction(scale, value) >= CROWDED)];
}

/** With as many decimals as the ticks have, if they tell it from them. */
function lowestLabel(min: number, ticks: readonly Tick[]): string {
  const decimals = Math.max(0, ...ticks.map(({ label }) => label.split('.')[1]?.length ?? 0));
  const alike = min.toFixed(decimals);
  const isTold = Number(alike) !== 0 && !ticks.some(({ label }) => label === alike);
  return isTold && Math.abs(min) >= 1e-3 && Math.abs(min) < 1e9 ? alike : formatNumber(min, 3);
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

function innerRange(all: readonly MetricSeries[], isLog: boolean): { min: number; max: number } | null {
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

function innerRangeOf({ values, length }: MetricSeries, isLog: boolean): { min: number; max: number } | null {
  const sorted = Float64Array.from({ length }, (_, index) => values[index]!).sort();
  const kept = isLog ? sorted.subarray(sorted.findIndex(value => value > 0)) : sorted;
  if (kept.length === 0 || (isLog && !(kept[0]! > 0))) return null;
  return { min: percentile(kept, OUTLYING), max: percentile(kept, 100 - OUTLYING) };
}

function leastPositive({ values, length, minValue }: MetricSeries): number {
  if (minValue! > 0) return minValue!;
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index < length; index++)
    if (values[index]! > 0 && values[index]! < least) least = values[index]!;
  return least;
}
