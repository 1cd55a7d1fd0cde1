// Maps values to rows of a character-cell chart: the lowest is in the bottom row, the highest in the top row, and each row
// is labelled with its value.
import { formatNumber } from './format.js';
import { tickLabels } from './ticks.js';
import { endLabel, type ValueScale, valueFraction } from './value-axis.js';

export interface RowScale {
  /** 0 at the bottom; inside the rows for every value in the range. */
  rowOf(value: number): number;
  /** The same before rounding: dots are finer than rows. */
  placeOf(value: number): number;
  /** From the bottom; empty where it would say the same as another one. */
  readonly labels: readonly string[];
}

/** `format` writes the labels instead of plain numbers. */
export function toRowScale(range: ValueScale, rows: number, format?: (value: number) => string): RowScale {
  const placeOf = (value: number) => valueFraction(range, value) * (rows - 1);
  const rowOf = (value: number) => Math.round(placeOf(value));
  return { rowOf, placeOf, labels: toLabels(range, rows, rowOf, format) };
}

function toLabels(
  range: ValueScale,
  rows: number,
  rowOf: RowScale['rowOf'],
  format: ((value: number) => string) | undefined,
): string[] {
  const { min, max } = range;
  if (min === max) {
    const label = format?.(min) ?? formatNumber(min);
    return Array.from({ length: rows }, (_, row) => (row === rowOf(min) ? label : ''));
  }
  const values = Array.from({ length: rows }, (_, row) => valueAt(row / (rows - 1), range)).slice(1, -1);
  const inner = format ? values.map(format) : plainLabels(values, range);
  const [low, high] = [min, max].map(end => format?.(end) ?? endLabel(end, range)) as [string, string];
  const isNew = (label: string, index: number) =>
    label !== low && label !== high && inner.indexOf(label) === index;
  return [low, ...inner.map((label, index) => (isNew(label, index) ? label : '')), high];
}

const LOG_DIGITS = 3;
/** As many as JavaScript writes. */
const MOST_DECIMALS = 100;

/** With the decimals that tell neighbors apart; over several powers of ten, with as many digits. */
function plainLabels(values: readonly number[], { isLog, min, max }: ValueScale): string[] {
  if (isLog && max >= 10 * min) return values.map(value => formatNumber(value, LOG_DIGITS));
  const [first = min, second = max] = values;
  const decimals = 1 - Math.floor(Math.log10(second - first));
  const kept = Math.min(MOST_DECIMALS, Math.max(0, decimals));
  return tickLabels(values.map(value => Number(value.toFixed(kept))));
}

function valueAt(fraction: number, { isLog, min, max }: ValueScale): number {
  // Each end separately, because the width of the range may overflow.
  const between = (from: number, to: number) => from * (1 - fraction) + to * fraction;
  return isLog ? 10 ** between(Math.log10(min), Math.log10(max)) : between(min, max);
}
