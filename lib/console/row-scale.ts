// Maps values to rows of a character-cell chart, and labels the rows.
import { fitEvenRows, type TickStep } from './even-rows.js';
import { formatNumber } from './format.js';
import { tickLabels, toFraction } from './ticks.js';
import type { ValueScale } from './value-axis.js';

interface RowTick {
  /** 0 at the bottom; unique. */
  readonly row: number;
  readonly label: string;
}

export interface RowScale {
  /** Inside the rows for every value in the range. */
  rowOf(value: number): number;
  /** The same before rounding: dots are finer than rows. */
  placeOf(value: number): number;
  readonly ticks: readonly RowTick[];
}

export function toRowScale(range: ValueScale, rows: number): RowScale {
  const even = range.max > range.min ? evenScale(range, rows) : null;
  return even ?? stretchedScale(range, rows);
}

function evenScale(range: ValueScale, rows: number): RowScale | null {
  return range.isLog ? powerScale(range, rows) : linearScale(range, rows);
}

interface LinearStep extends TickStep {
  readonly unit: number;
  readonly exponent: number;
}

const UNITS = [
  { unit: 1, cost: 0 },
  { unit: 2, cost: 0 },
  { unit: 5, cost: 0 },
  { unit: 2.5, cost: 0.3 },
  { unit: 4, cost: 0.5 },
  { unit: 3, cost: 0.6 },
  { unit: 1.5, cost: 0.6 },
  { unit: 6, cost: 1.2 },
];

function linearScale(range: ValueScale, rows: number): RowScale | null {
  const { min, max } = range;
  const magnitude = Math.floor(Math.log10((max - min) / (rows - 1)));
  const steps = [-1, 0, 1].flatMap(shift =>
    UNITS.map(({ unit, cost }): LinearStep => {
      const exponent = magnitude + shift;
      return { unit, exponent, cost, size: Number(`${unit}e${exponent}`) };
    }),
  );
  const even = fitEvenRows(min, max, rows, steps);
  if (!even) return null;
  const { unit, exponent } = even.step;
  const values = even.ticks.map(({ multiple }) => Number(`${multiple * unit}e${exponent}`));
  return {
    rowOf: even.rowOf,
    placeOf: even.placeOf,
    ticks: toTicks(
      even.ticks.map(({ row }) => row),
      values,
      range,
    ),
  };
}

interface LogStep extends TickStep {
  readonly base: number;
}

const LOG_STEPS: readonly LogStep[] = [
  { base: 2, cost: 1 },
  ...[1, 2, 3, 5, 10, 20, 50, 100].map(decades => ({ base: 10 ** decades, cost: 0 })),
].map(step => ({ ...step, size: Math.log10(step.base) }));
const ENOUGH_POWERS = 3;

/** Ticks at powers of ten or two, if the range holds enough of them. */
function powerScale({ min, max }: ValueScale, rows: number): RowScale | null {
  const even = fitEvenRows(Math.log10(min), Math.log10(max), rows, LOG_STEPS);
  if (!even || even.ticks.length < ENOUGH_POWERS) return null;
  return {
    rowOf: value => even.rowOf(Math.log10(value)),
    placeOf: value => even.placeOf(Math.log10(value)),
    ticks: even.ticks.map(({ row, multiple }) => ({ row, label: formatNumber(even.step.base ** multiple) })),
  };
}

const STRETCHED_GAPS = 4;
const MOST_DIGITS = 17;

/** The minimum in the bottom row, the maximum in the top row; labels have enough digits to tell rows apart. */
function stretchedScale(range: ValueScale, rows: number): RowScale {
  const { min, max } = range;
  const top = rows - 1;
  const placeOf = (value: number) => fractionOf(value, range) * top;
  const rowOf = (value: number) => Math.round(placeOf(value));
  if (min === max) return { rowOf, placeOf, ticks: [{ row: rowOf(min), label: formatNumber(min) }] };
  const gap = Math.ceil(top / STRETCHED_GAPS);
  const places = Array.from({ length: Math.floor(top / gap) + 1 }, (_, index) => index * gap);
  const exact = places.map(row => valueAt(row / top, range));
  for (let digits = 1; digits <= MOST_DIGITS; digits++) {
    const rounded = exact.map(value => Number(value.toPrecision(digits)));
    if (rounded.every((value, index) => rowOf(value) === places[index]))
      return { rowOf, placeOf, ticks: toTicks(places, rounded, range) };
  }
  return { rowOf, placeOf, ticks: toTicks([0, top], [min, max], range) };
}

/** All labels have the same number of decimals, except on a logarithmic scale over a factor of ten or more. */
function toTicks(
  rows: readonly number[],
  values: readonly number[],
  { isLog, min, max }: ValueScale,
): RowTick[] {
  const labels =
    !isLog || max < 10 * min ? tickLabels(values) : values.map(value => formatNumber(value, MOST_DIGITS));
  return rows.map((row, index) => ({ row, label: labels[index]! }));
}

function fractionOf(value: number, { isLog, min, max }: ValueScale): number {
  return isLog
    ? toFraction(Math.log10(value), Math.log10(min), Math.log10(max))
    : toFraction(value, min, max);
}

function valueAt(fraction: number, { isLog, min, max }: ValueScale): number {
  // Each end separately, because the width of the range may overflow.
  const between = (from: number, to: number) => from * (1 - fraction) + to * fraction;
  return isLog ? 10 ** between(Math.log10(min), Math.log10(max)) : between(min, max);
}
