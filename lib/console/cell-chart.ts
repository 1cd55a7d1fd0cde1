// A loss chart on a grid of character cells: which row each line is at in each column, and the axis labels. The caller
// picks the characters to draw.
import type { SeriesName, SeriesPair } from './chart.js';
import type { XRange } from './chart-choices.js';
import { formatNumber, plural } from './format.js';
import { type RowScale, toRowScale } from './row-scale.js';
import type { MetricSeries } from './series.js';
import { within } from './series-window.js';
import { smoothSeries } from './smoothing.js';
import { toFraction } from './ticks.js';
import { countBeyond, toValueScale, type ValueScale } from './value-axis.js';
import { type XAxis, xTicks } from './x-axis.js';

interface CellChartOptions {
  /** Includes the labels on the left. */
  readonly width: number;
  /** Includes the row of labels at the bottom. */
  readonly height: number;
  readonly isLog: boolean;
  readonly isSmooth: boolean;
  readonly ignoresOutliers?: boolean;
  readonly zoom?: XRange | null;
  /** The x-axis reaches at least to here. */
  readonly reach?: number | null;
  /** What the series have as their steps, if they were projected onto another axis. */
  readonly axis?: XAxis;
  /** Writes the labels of the y-axis. */
  readonly format?: ((value: number) => string) | undefined;
  /** Lines in braille dots instead of cells: two columns and four rows in each. */
  readonly isFine?: boolean;
}

/** `raw` is the training loss behind its smoothed line. */
export type CellLineName = SeriesName | 'raw';

/** In cells, or in dots if the chart is fine. */
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
  readonly isFine: boolean;
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
  readonly isFine: boolean;
  readonly minStep: number;
  readonly maxStep: number;
  readonly range: ValueScale;
  readonly scale: RowScale;
}

const LEAST_COLUMNS = 2;
const LEAST_ROWS = 2;
/** Of a cell in braille. */
const DOTS = { columns: 2, rows: 4 };
const NO_VALUES: ValueScale = { isLog: false, min: 0, max: 1 };

export function cellChart(pair: SeriesPair, options: CellChartOptions): CellChart {
  const { zoom = null, reach = null, isLog, isFine = false, axis = 'step', format } = options;
  const shown = { training: within(pair.training, zoom), evaluation: within(pair.evaluation, zoom) };
  const all = [shown.training, shown.evaluation].filter(series => series.length > 0);
  const range = toValueScale(all, options) ?? NO_VALUES;
  const rows = Math.max(LEAST_ROWS, options.height - 1);
  const scale = toRowScale(range, rows);
  const yTicks = all.length === 0 ? [] : toYTicks(scale, range, format);
  const labelWidth = Math.max(0, ...yTicks.map(({ label }) => label.length));
  const grid: Grid = {
    rows,
    columns: Math.max(LEAST_COLUMNS, options.width - labelWidth - 1),
    isFine,
    minStep: zoom?.from ?? Math.min(...all.map(({ minStep }) => minStep!)),
    maxStep: zoom?.to ?? Math.max(...all.map(({ maxStep }) => maxStep!), reach ?? Number.NEGATIVE_INFINITY),
    range,
    scale,
  };
  return {
    waiting: pair.training.length + pair.evaluation.length === 0,
    isFine,
    columns: grid.columns,
    rows,
    minStep: grid.minStep,
    maxStep: grid.maxStep,
    yLabels: toYLabels(yTicks, rows, labelWidth),
    xLabels: all.length === 0 ? '' : toXLabels(grid, axis),
    lines: toLines(shown, pair, grid, options),
    marks: toMarks(shown.evaluation, grid),
    legend: pair.evaluation.length > 0 ? ['training', 'evaluation'] : ['training'],
    note: toNote(all, isLog, range, options.ignoresOutliers === true),
  };
}

export function columnOfStep(
  { columns, minStep, maxStep }: Pick<CellChart, 'columns' | 'minStep' | 'maxStep'>,
  step: number,
): number {
  return Math.round(toFraction(step, minStep, maxStep) * (columns - 1));
}

function toLines(shown: SeriesPair, whole: SeriesPair, grid: Grid, options: CellChartOptions): CellLine[] {
  const smooth = options.isSmooth && whole.training.length > 1;
  const smoothed = () => within(smoothSeries(whole.training), options.zoom ?? null);
  // Only the points of the evaluation were measured, so the line that joins them goes behind the training line.
  const lines = [
    smooth ? toLine('raw', shown.training, grid) : null,
    toLine('evaluation', shown.evaluation, grid),
    toLine('training', smooth ? smoothed() : shown.training, grid),
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

/** Null for a value that a logarithmic scale cannot show. Outliers are at the edge. */
function rowOf(value: number, { range, scale, rows }: Grid): number | null {
  return range.isLog && value <= 0 ? null : clamp(scale.rowOf(value), rows - 1);
}

/** The same in the rows of lines. A row's value is in the middle of its dots. */
function levelOf(value: number, grid: Grid): number | null {
  const { range, scale, rows, isFine } = grid;
  if (!isFine || (range.isLog && value <= 0)) return rowOf(value, grid);
  return clamp(Math.round((scale.placeOf(value) + 0.5) * DOTS.rows - 0.5), rows * DOTS.rows - 1);
}

function clamp(row: number, top: number): number {
  return Math.min(top, Math.max(0, row));
}

interface YTick {
  readonly row: number;
  readonly label: string;
}

/** The lowest row has a label, too, unless the next one has. */
function toYTicks(
  { ticks }: RowScale,
  { min, max }: ValueScale,
  format?: (value: number) => string,
): YTick[] {
  const written = ticks.map(({ row, label }) => ({ row, label: format?.(Number(label)) ?? label }));
  if (min === max || written.some(({ row }) => row < 2)) return written;
  return [{ row: 0, label: (format ?? formatLowest)(min) }, ...written];
}

function formatLowest(value: number): string {
  return formatNumber(value, 3);
}

function toYLabels(ticks: readonly YTick[], rows: number, width: number): string[] {
  const labels = Array.from({ length: rows }, () => ' '.repeat(width));
  for (const { row, label } of ticks) labels[rows - 1 - row] = label.padStart(width);
  return labels;
}

/** Labels below the chart: this many if they fit, more if each has ample room. */
const USUAL_LABELS = 5;
const LEAST_GAP = 3;
const AMPLE_ROOM = 9;

function toXLabels(grid: Grid, axis: XAxis): string {
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

function toNote(
  all: readonly MetricSeries[],
  wantsLog: boolean,
  range: ValueScale,
  ignoresOutliers: boolean,
): string | null {
  if (all.length === 0) return null;
  if (wantsLog && !range.isLog) return 'No values above 0: using a linear scale.';
  if (!range.isLog && !ignoresOutliers) return null;
  const left = all.reduce((sum, series) => sum + countBeyond(series, range), 0);
  if (left === 0) return null;
  return `${plural(left, 'value')} ${ignoresOutliers ? 'out of range' : 'at or below 0 not shown'}`;
}
