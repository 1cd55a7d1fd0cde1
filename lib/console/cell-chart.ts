// A loss chart on a grid of character cells: which row each line is at in each column, and the axis labels. The caller
// picks the characters to draw.
import type { SeriesName, SeriesPair } from './chart.js';
import { plural } from './format.js';
import { type RowScale, toRowScale, type ValueRange } from './row-scale.js';
import type { MetricSeries } from './series.js';
import { smoothSeries } from './smoothing.js';
import { niceTicks, toFraction } from './ticks.js';

interface CellChartOptions {
  /** Includes the labels on the left. */
  readonly width: number;
  /** Includes the row of labels at the bottom. */
  readonly height: number;
  readonly isLog: boolean;
  readonly isSmooth: boolean;
}

/** `raw` is the training loss behind its smoothed line. */
export type CellLineName = SeriesName | 'raw';

export interface CellLine {
  readonly name: CellLineName;
  /** The column of its first point. */
  readonly start: number;
  /** The row at which the line enters each column from `start` to its last point, 0 at the bottom. */
  readonly rows: readonly number[];
  /** The row at which it leaves the last column. */
  readonly end: number;
  /** The columns whose points span several rows. */
  readonly spans: readonly { readonly column: number; readonly low: number; readonly high: number }[];
}

export interface CellChart {
  readonly waiting: boolean;
  readonly columns: number;
  readonly rows: number;
  readonly minStep: number;
  readonly maxStep: number;
  /** One per row from the top, all the same width. */
  readonly yLabels: readonly string[];
  readonly xLabels: string;
  /** From back to front. */
  readonly lines: readonly CellLine[];
  /** The evaluation points. */
  readonly marks: readonly { readonly column: number; readonly row: number }[];
  readonly legend: readonly SeriesName[];
  /** Set when not everything can be shown. */
  readonly note: string | null;
}

interface Grid {
  readonly columns: number;
  readonly rows: number;
  readonly minStep: number;
  readonly maxStep: number;
  readonly range: ValueRange;
  readonly scale: RowScale;
}

const LEAST_COLUMNS = 2;
const LEAST_ROWS = 2;

export function cellChart(pair: SeriesPair, options: CellChartOptions): CellChart {
  const all = [pair.training, pair.evaluation].filter(series => series.length > 0);
  const range = toRange(all, options.isLog);
  const rows = Math.max(LEAST_ROWS, options.height - 1);
  const scale = toRowScale(range, rows);
  const labelWidth = Math.max(0, ...scale.ticks.map(({ label }) => label.length));
  const grid: Grid = {
    rows,
    columns: Math.max(LEAST_COLUMNS, options.width - labelWidth - 1),
    minStep: Math.min(...all.map(({ minStep }) => minStep!)),
    maxStep: Math.max(...all.map(({ maxStep }) => maxStep!)),
    range,
    scale,
  };
  return {
    waiting: all.length === 0,
    columns: grid.columns,
    rows,
    minStep: grid.minStep,
    maxStep: grid.maxStep,
    yLabels: toYLabels(scale, rows, labelWidth),
    xLabels: all.length === 0 ? '' : toXLabels(grid),
    lines: toLines(pair, grid, options.isSmooth),
    marks: toMarks(pair.evaluation, grid),
    legend: pair.evaluation.length > 0 ? ['training', 'evaluation'] : ['training'],
    note: toNote(all, options.isLog, range),
  };
}

export function columnOfStep(
  { columns, minStep, maxStep }: Pick<CellChart, 'columns' | 'minStep' | 'maxStep'>,
  step: number,
): number {
  return Math.round(toFraction(step, minStep, maxStep) * (columns - 1));
}

function toLines(pair: SeriesPair, grid: Grid, isSmooth: boolean): CellLine[] {
  const smooth = isSmooth && pair.training.length > 1;
  // Only the points of the evaluation were measured, so the line that joins them goes behind the training line.
  const lines = [
    smooth ? toLine('raw', pair.training, grid) : null,
    toLine('evaluation', pair.evaluation, grid),
    toLine('training', smooth ? smoothSeries(pair.training) : pair.training, grid),
  ];
  return lines.filter(line => line !== null);
}

/** The rows of the points in one column. */
interface Crowd {
  readonly first: number;
  readonly last: number;
  readonly low: number;
  readonly high: number;
}

function toLine(name: CellLineName, series: MetricSeries, grid: Grid): CellLine | null {
  const columns = new Map<number, Crowd>();
  for (let index = 0; index < series.length; index++) {
    const row = rowOf(series.values[index]!, grid);
    if (row === null) continue;
    const column = columnOfStep(grid, series.steps[index]!);
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

/** The rows from one column up to the next that has points, on a straight line between the two. */
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

function toMarks(series: MetricSeries, grid: Grid): CellChart['marks'] {
  return Array.from({ length: series.length }, (_, index) => ({
    column: columnOfStep(grid, series.steps[index]!),
    row: rowOf(series.values[index]!, grid),
  })).flatMap(({ column, row }) => (row === null ? [] : [{ column, row }]));
}

/** Null for a value that a logarithmic scale cannot show. */
function rowOf(value: number, { range, scale }: Grid): number | null {
  return range.isLog && value <= 0 ? null : scale.rowOf(value);
}

function toRange(all: readonly MetricSeries[], wantsLog: boolean): ValueRange {
  const max = Math.max(...all.map(({ maxValue }) => maxValue!));
  if (!wantsLog || !(max > 0)) return { isLog: false, min: Math.min(...all.map(s => s.minValue!)), max };
  return { isLog: true, min: Math.min(...all.map(leastPositive)), max };
}

function leastPositive({ values, length, minValue }: MetricSeries): number {
  if (minValue! > 0) return minValue!;
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index < length; index++)
    if (values[index]! > 0 && values[index]! < least) least = values[index]!;
  return least;
}

function toYLabels({ ticks }: RowScale, rows: number, width: number): string[] {
  const labels = Array.from({ length: rows }, () => ' '.repeat(width));
  for (const { row, label } of ticks) labels[rows - 1 - row] = label.padStart(width);
  return labels;
}

/** Labels below the chart: this many if they fit, more if each has ample room. */
const USUAL_LABELS = 5;
const LEAST_GAP = 3;
const AMPLE_ROOM = 9;

function toXLabels(grid: Grid): string {
  const { columns, minStep, maxStep } = grid;
  const fitting = Math.floor(columns / (`${maxStep}`.length + LEAST_GAP));
  const target = Math.max(2, Math.min(USUAL_LABELS, fitting), Math.floor(columns / AMPLE_ROOM));
  let line = '';
  for (const { value, label } of niceTicks(minStep, maxStep, { integer: true, target })) {
    const centered = columnOfStep(grid, value) - Math.floor(label.length / 2);
    const start = Math.min(Math.max(0, centered), columns - label.length);
    if (start >= 0 && (line === '' || start > line.length)) line = line.padEnd(start) + label;
  }
  return line;
}

function toNote(all: readonly MetricSeries[], wantsLog: boolean, { isLog }: ValueRange): string | null {
  if (!wantsLog || all.length === 0) return null;
  if (!isLog) return 'No values above 0: using a linear scale.';
  const left = all.reduce((sum, { values, length }) => sum + countNotPositive(values, length), 0);
  return left === 0 ? null : `${plural(left, 'value')} at or below 0 not shown`;
}

function countNotPositive(values: readonly number[], length: number): number {
  let count = 0;
  for (let index = 0; index < length; index++) if (values[index]! <= 0) count++;
  return count;
}
