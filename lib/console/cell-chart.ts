// A loss chart on a grid of character cells: which row each line is at in each column, and what stands at the axes.
// Which characters are drawn is the business of whoever draws.
import type { SeriesName, SeriesPair } from './chart.js';
import { formatNumber, plural } from './format.js';
import type { MetricSeries } from './series.js';
import { smoothSeries } from './smoothing.js';
import { niceTicks, type Tick, toFraction } from './ticks.js';

export interface CellChartOptions {
  /** The labels at the left included. */
  readonly width: number;
  /** The row of labels at the bottom included. */
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
  /** Its row in each column from there to its last point, 0 at the bottom. */
  readonly rows: readonly number[];
  /** The columns whose points span several rows. */
  readonly spans: readonly { readonly column: number; readonly low: number; readonly high: number }[];
}

export interface CellChart {
  readonly waiting: boolean;
  readonly columns: number;
  readonly rows: number;
  readonly minStep: number;
  readonly maxStep: number;
  /** For each row from the top, all of one width. */
  readonly yLabels: readonly string[];
  readonly xLabels: string;
  /** Those behind come first. */
  readonly lines: readonly CellLine[];
  /** Where the points of the evaluation are. */
  readonly marks: readonly { readonly column: number; readonly row: number }[];
  readonly legend: readonly SeriesName[];
  /** Says so when not everything can be shown. */
  readonly note: string | null;
}

interface Scale {
  readonly isLog: boolean;
  readonly min: number;
  readonly max: number;
}

interface Grid {
  readonly columns: number;
  readonly rows: number;
  readonly minStep: number;
  readonly maxStep: number;
  readonly scale: Scale;
}

type PlacedTick = Tick & { readonly row: number };

const LEAST_COLUMNS = 2;
const LEAST_ROWS = 2;

export function cellChart(pair: SeriesPair, options: CellChartOptions): CellChart {
  const all = [pair.training, pair.evaluation].filter(series => series.length > 0);
  const scale = toScale(all, options.isLog);
  const rows = Math.max(LEAST_ROWS, options.height - 1);
  const ticks = placeTicks(scale, rows);
  const labelWidth = Math.max(0, ...ticks.map(({ label }) => label.length));
  const grid: Grid = {
    rows,
    columns: Math.max(LEAST_COLUMNS, options.width - labelWidth - 1),
    minStep: Math.min(...all.map(({ minStep }) => minStep!)),
    maxStep: Math.max(...all.map(({ maxStep }) => maxStep!)),
    scale,
  };
  return {
    waiting: all.length === 0,
    columns: grid.columns,
    rows,
    minStep: grid.minStep,
    maxStep: grid.maxStep,
    yLabels: toYLabels(ticks, rows, labelWidth),
    xLabels: all.length === 0 ? '' : toXLabels(grid),
    lines: toLines(pair, grid, options.isSmooth),
    marks: toMarks(pair.evaluation, grid),
    legend: pair.evaluation.length > 0 ? ['training', 'evaluation'] : ['training'],
    note: toNote(all, options.isLog, scale),
  };
}

/** The column of a step. */
export function columnOfStep(
  { columns, minStep, maxStep }: Pick<CellChart, 'columns' | 'minStep' | 'maxStep'>,
  step: number,
): number {
  return Math.round(toFraction(step, minStep, maxStep) * (columns - 1));
}

function toLines(pair: SeriesPair, grid: Grid, isSmooth: boolean): CellLine[] {
  const smooth = isSmooth && pair.training.length > 1;
  // Of the evaluation only the points were measured: what joins them goes behind.
  const lines = [
    smooth ? toLine('raw', pair.training, grid) : null,
    toLine('evaluation', pair.evaluation, grid),
    toLine('training', smooth ? smoothSeries(pair.training) : pair.training, grid),
  ];
  return lines.filter(line => line !== null);
}

function toLine(name: CellLineName, series: MetricSeries, grid: Grid): CellLine | null {
  const columns = new Map<number, { last: number; low: number; high: number }>();
  for (let index = 0; index < series.length; index++) {
    const row = rowOf(series.values[index]!, grid);
    if (row === null) continue;
    const column = columnOfStep(grid, series.steps[index]!);
    const known = columns.get(column) ?? { last: row, low: row, high: row };
    columns.set(column, { last: row, low: Math.min(known.low, row), high: Math.max(known.high, row) });
  }
  if (columns.size === 0) return null;
  const order = [...columns.keys()].sort((a, b) => a - b);
  return {
    name,
    start: order[0]!,
    rows: order.flatMap((column, index) => fillTo(order[index + 1], column, columns)),
    spans: order.flatMap(column => {
      const { low, high } = columns.get(column)!;
      return low === high ? [] : [{ column, low, high }];
    }),
  };
}

/** The rows from one column to before the next that has points, on a straight line between the two. */
function fillTo(
  next: number | undefined,
  column: number,
  columns: ReadonlyMap<number, { last: number }>,
): number[] {
  const from = columns.get(column)!.last;
  if (next === undefined) return [from];
  const to = columns.get(next)!.last;
  return Array.from({ length: next - column }, (_, index) =>
    Math.round(from + ((to - from) * index) / (next - column)),
  );
}

function toMarks(series: MetricSeries, grid: Grid): CellChart['marks'] {
  return Array.from({ length: series.length }, (_, index) => ({
    column: columnOfStep(grid, series.steps[index]!),
    row: rowOf(series.values[index]!, grid),
  })).flatMap(({ column, row }) => (row === null ? [] : [{ column, row }]));
}

/** Null for a value that a logarithmic scale has no place for. */
function rowOf(value: number, { scale, rows }: Grid): number | null {
  if (scale.isLog && value <= 0) return null;
  return Math.round(fractionOf(value, scale) * (rows - 1));
}

function fractionOf(value: number, { isLog, min, max }: Scale): number {
  return isLog
    ? toFraction(Math.log10(value), Math.log10(min), Math.log10(max))
    : toFraction(value, min, max);
}

function toScale(all: readonly MetricSeries[], wantsLog: boolean): Scale {
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

/** Ticks with the row that each is at; no two at the same. At least the ends of the range, where there are such. */
function placeTicks(scale: Scale, rows: number): PlacedTick[] {
  const target = Math.max(3, Math.floor(rows / 2));
  const { isLog, min, max } = scale;
  const nice = isLog ? logTicks(scale, target) : niceTicks(min, max, { target });
  const ticks = nice.length > 1 || !(max > min) ? nice : [min, max].map(toTick);
  const taken = new Set<number>();
  return ticks.flatMap(tick => {
    const row = Math.round(fractionOf(tick.value, scale) * (rows - 1));
    if (taken.has(row)) return [];
    taken.add(row);
    return [{ ...tick, row }];
  });
}

/** Whole powers of ten where the range has enough of them, else the usual parts of them too. */
function logTicks({ min, max }: Scale, target: number): Tick[] {
  const first = Math.floor(Math.log10(min));
  const powers = Array.from({ length: Math.ceil(Math.log10(max)) - first + 1 }, (_, index) => first + index);
  const inside = (parts: readonly number[]) =>
    powers
      .flatMap(power => parts.map(part => Number(`${part}e${power}`)))
      .filter(value => value >= min && value <= max)
      .map(toTick);
  const whole = inside([1]);
  return whole.length >= Math.min(3, target) ? whole : inside([1, 2, 5]);
}

function toTick(value: number): Tick {
  return { value, label: formatNumber(value) };
}

function toYLabels(ticks: readonly PlacedTick[], rows: number, width: number): string[] {
  const labels = Array.from({ length: rows }, () => ' '.repeat(width));
  for (const { row, label } of ticks) labels[rows - 1 - row] = label.padStart(width);
  return labels;
}

function toXLabels(grid: Grid): string {
  const { columns, minStep, maxStep } = grid;
  let line = '';
  for (const { value, label } of niceTicks(minStep, maxStep, {
    integer: true,
    target: Math.max(2, Math.floor(columns / 9)),
  })) {
    const centred = columnOfStep(grid, value) - Math.floor(label.length / 2);
    const start = Math.min(Math.max(0, centred), columns - label.length);
    if (start >= 0 && (line === '' || start > line.length)) line = line.padEnd(start) + label;
  }
  return line;
}

function toNote(all: readonly MetricSeries[], wantsLog: boolean, { isLog }: Scale): string | null {
  if (!wantsLog || all.length === 0) return null;
  if (!isLog) return 'No value above 0: the scale is linear.';
  const left = all.reduce((sum, { values, length }) => sum + countNotPositive(values, length), 0);
  return left === 0 ? null : `${plural(left, 'value')} of 0 or less left out`;
}

function countNotPositive(values: readonly number[], length: number): number {
  let count = 0;
  for (let index = 0; index < length; index++) if (values[index]! <= 0) count++;
  return count;
}
