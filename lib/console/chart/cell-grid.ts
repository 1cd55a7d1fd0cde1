// A grid of character cells for drawing lines: the row of each line in each column, and the axis labels. The
// caller picks the characters.

import { formatNumber } from '../text/format.js';
import type { XRange } from './chart-choices.js';
import type { MetricSeries } from './series.js';
import { tickLabels, toFraction } from './ticks.js';
import { endLabel, type ValueScale, valueFraction } from './value-axis.js';
import { type XAxis, xTicks } from './x-axis.js';

export interface CellOptions {
  /** Includes the labels on the left. */
  readonly width: number;
  /** Includes the row of labels at the bottom. */
  readonly height: number;
  readonly isLog: boolean;
  readonly isSmooth: boolean;
  readonly ignoresOutliers?: boolean;
  readonly zoom?: XRange | null;
  /** The minimum end of the x-axis. */
  readonly reach?: number | null;
  /** The x-axis, if the series were projected onto one other than steps. */
  readonly axis?: XAxis;
  /** Formats the labels of the y-axis. */
  readonly format?: ((value: number) => string) | undefined;
  /** Uses braille dots instead of cells: two columns and four rows per cell. */
  readonly isFine?: boolean;
}

/** In cells, or in dots if `isFine`. */
export interface CellLine<Name extends string = string> {
  readonly name: Name;
  /** The column of its first point. */
  readonly start: number;
  /** The row at which the line enters each column from `start` to its last point, 0 at the bottom. */
  readonly rows: readonly number[];
  /** The row at which it leaves the last column. */
  readonly end: number;
  /** The columns with points in several rows. */
  readonly spans: readonly { readonly column: number; readonly low: number; readonly high: number }[];
}

interface CellMark<Name extends string = string> {
  readonly name: Name;
  readonly column: number;
  readonly row: number;
}

/** Everything around the lines. */
interface CellFrame {
  readonly isFine: boolean;
  readonly columns: number;
  readonly rows: number;
  readonly minStep: number;
  readonly maxStep: number;
  /** One per row from the top, padded to the same width. */
  readonly yLabels: readonly string[];
  readonly xLabels: string;
}

/** Lines and marks in a frame, from back to front. */
export interface CellDrawing<Name extends string = string> extends CellFrame {
  readonly lines: readonly CellLine<Name>[];
  readonly marks: readonly CellMark<Name>[];
}

export interface CellGrid extends CellFrame {
  readonly range: ValueScale;
  readonly scale: RowScale;
}

const LEAST_COLUMNS = 2;
const LEAST_ROWS = 2;
/** Dots per braille cell. */
const DOTS = { columns: 2, rows: 4 };
const NO_VALUES: ValueScale = { isLog: false, min: 0, max: 1 };

/** `shown`: the series within the zoom; `range`: the range of the y-axis, null without values. */
export function toCellGrid(
  shown: readonly MetricSeries[],
  range: ValueScale | null,
  options: CellOptions,
): CellGrid {
  const { zoom = null, reach = null, isFine = false, axis = 'step', format } = options;
  const all = shown.filter(series => series.length > 0);
  const rows = Math.max(LEAST_ROWS, options.height - 1);
  const scale = toRowScale(range ?? NO_VALUES, rows, format);
  const labels = all.length === 0 || !range ? scale.labels.map(() => '') : scale.labels;
  const labelWidth = Math.max(...labels.map(label => label.length));
  const place = {
    columns: Math.max(LEAST_COLUMNS, options.width - labelWidth - 1),
    minStep: zoom?.from ?? Math.min(...all.map(({ minStep }) => minStep!)),
    maxStep: zoom?.to ?? Math.max(...all.map(({ maxStep }) => maxStep!), reach ?? Number.NEGATIVE_INFINITY),
  };
  return {
    ...place,
    rows,
    isFine,
    range: range ?? NO_VALUES,
    scale,
    yLabels: labels.toReversed().map(label => label.padStart(labelWidth)),
    xLabels: all.length === 0 ? '' : toXLabels(place, axis),
  };
}

export function columnOfStep(
  { columns, minStep, maxStep }: Pick<CellFrame, 'columns' | 'minStep' | 'maxStep'>,
  step: number,
): number {
  return Math.round(toFraction(step, minStep, maxStep) * (columns - 1));
}

/** The rows of a column's points. */
interface Crowd {
  readonly first: number;
  readonly last: number;
  readonly low: number;
  readonly high: number;
}

/** Null if no points can be shown. */
export function toCellLine<Name extends string>(
  name: Name,
  series: MetricSeries,
  grid: CellGrid,
): CellLine<Name> | null {
  const columns = new Map<number, Crowd>();
  const lineGrid = grid.isFine ? { ...grid, columns: grid.columns * DOTS.columns } : grid;
  for (let index = 0; index < series.length; index++) {
    const row = levelOf(series.values[index]!, grid);
    if (row === null) continue;
    const column = columnOfStep(lineGrid, series.steps[index]!);
    const { first, low, high } = columns.get(column) ?? { first: row, low: row, high: row };
    columns.set(column, { first, last: row, low: Math.min(low, row), high: Math.max(high, row) });
  }
  if (columns.size === 0) return null;
  const order = [...columns.keys()].sort((a, b) => a - b);
  return {
    name,
    start: order[0]!,
    rows: order.flatMap((column, index) => fillTo(order[index + 1], column, columns)),
    end: columns.get(order.at(-1)!)!.last,
    spans: order.flatMap(column => {
      const { low, high } = columns.get(column)!;
      return low === high ? [] : [{ column, low, high }];
    }),
  };
}

/** Interpolates the rows from one column up to the next one with points. */
function fillTo(
  next: number | undefined,
  column: number,
  columns: ReadonlyMap<number, Pick<Crowd, 'first' | 'last'>>,
): number[] {
  const { first, last } = columns.get(column)!;
  if (next === undefined) return [first];
  const to = columns.get(next)!.first;
  return Array.from({ length: next - column }, (_, index) =>
    index === 0 ? first : Math.round(last + ((to - last) * index) / (next - column)),
  );
}

/** Marks these points of a series. */
export function toCellMarks<Name extends string>(
  name: Name,
  series: MetricSeries,
  indexes: readonly number[],
  grid: CellGrid,
): CellMark<Name>[] {
  return indexes.flatMap(index => {
    const row = rowOf(series.values[index]!, grid);
    return row === null ? [] : [{ name, column: columnOfStep(grid, series.steps[index]!), row }];
  });
}

/** Null if a logarithmic scale cannot show the value. Outliers are clamped to the edge. */
function rowOf(value: number, { range, scale, rows }: CellGrid): number | null {
  return range.isLog && value <= 0 ? null : clamp(scale.rowOf(value), rows - 1);
}

/** Like `rowOf`, in dot rows. A row's value is at the middle of its dots. */
function levelOf(value: number, grid: CellGrid): number | null {
  const { range, scale, rows, isFine } = grid;
  if (!isFine || (range.isLog && value <= 0)) return rowOf(value, grid);
  return clamp(Math.round((scale.placeOf(value) + 0.5) * DOTS.rows - 0.5), rows * DOTS.rows - 1);
}

function clamp(row: number, top: number): number {
  return Math.min(top, Math.max(0, row));
}

/** The usual number of labels below the chart, if they fit; more if there is ample room. */
const USUAL_LABELS = 5;
const LEAST_GAP = 3;
const AMPLE_ROOM = 9;

function toXLabels(grid: Pick<CellFrame, 'columns' | 'minStep' | 'maxStep'>, axis: XAxis): string {
  const { columns, minStep, maxStep } = grid;
  const widest = axis === 'step' ? `${Math.round(maxStep)}`.length : AMPLE_ROOM;
  const fitting = Math.floor(columns / (widest + LEAST_GAP));
  const target = Math.max(2, Math.min(USUAL_LABELS, fitting), Math.floor(columns / AMPLE_ROOM));
  let line = '';
  for (const { value, label } of xTicks(axis, minStep, maxStep, target)) {
    const centered = columnOfStep(grid, value) - Math.floor(label.length / 2);
    const start = Math.min(Math.max(0, centered), columns - label.length);
    if (start >= 0 && (line === '' || start > line.length)) line = line.padEnd(start) + label;
  }
  return line;
}

interface RowScale {
  /** 0 at the bottom; valid for every value in the range. */
  rowOf(value: number): number;
  /** Like `rowOf` before rounding, since dots are finer than rows. */
  placeOf(value: number): number;
  /** From the bottom; empty if it would repeat another label. */
  readonly labels: readonly string[];
}

/**
 * Maps values to rows: the lowest is in the bottom row, the highest in the top row, and each row is labeled
 * with its value. `format` overrides the plain number labels. @internal
 */
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
/** The maximum for `toFixed`. */
const MOST_DECIMALS = 100;

/** Uses enough decimals to tell neighbors apart or, across several powers of ten, enough digits. */
function plainLabels(values: readonly number[], { isLog, min, max }: ValueScale): string[] {
  if (isLog && max >= 10 * min) return values.map(value => formatNumber(value, LOG_DIGITS));
  const [first = min, second = max] = values;
  const decimals = 1 - Math.floor(Math.log10(second - first));
  const digits = Math.min(MOST_DECIMALS, Math.max(0, decimals));
  return tickLabels(values.map(value => Number(value.toFixed(digits))));
}

function valueAt(fraction: number, { isLog, min, max }: ValueScale): number {
  // Each end separately, because the width of the range may overflow.
  const between = (from: number, to: number) => from * (1 - fraction) + to * fraction;
  return isLog ? 10 ** between(Math.log10(min), Math.log10(max)) : between(min, max);
}
