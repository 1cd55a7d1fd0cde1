// A sweep's parallel axes on a grid of character cells. The caller picks the characters.
import type { CellDrawing, CellLine } from '../chart/cell-grid.js';
import { shortId } from '../labels.js';
import { toSafeLine } from '../safe-text.js';
import { cutToWidth, displayWidth, padToWidth } from '../text/display-width.js';
import { type Span, spansWidth } from '../text/spans.js';
import {
  noWinnerText,
  parallelAxes,
  type Sweep,
  type SweepLine,
  sweepProgress,
  winnerText,
} from './sweep.js';

interface SweepCellOptions {
  readonly width: number;
  readonly height: number;
  /** Uses braille dots: two columns and four rows per cell. */
  readonly isFine: boolean;
}

interface CellAxis {
  readonly title: string;
  readonly column: number;
  /** The ticks that have a row to themselves, 0 at the bottom; the ends have priority. */
  readonly ticks: readonly { readonly row: number; readonly label: string }[];
}

interface SweepCells {
  readonly columns: number;
  readonly rows: number;
  readonly isFine: boolean;
  readonly axes: readonly CellAxis[];
  /** From back to front. */
  readonly lines: readonly (Pick<SweepLine, 'job' | 'isWinner'> & { readonly line: CellLine })[];
}

/** The gap between an axis and its label, and between the label and the edge. */
const AROUND_LABEL = 2;

/** Null if there are fewer than two axes or too little space. @internal */
export function sweepCells(sweep: Sweep, { width, height, isFine }: SweepCellOptions): SweepCells | null {
  const { axes, lines } = parallelAxes(sweep);
  const [rows, labelRoom] = [height, labelWidth(axes.at(-1)!) + AROUND_LABEL];
  const gap = (width - 1 - labelRoom) / (axes.length - 1);
  if (axes.length < 2 || gap < Math.max(...axes.map(labelWidth)) + AROUND_LABEL || rows < 2) return null;
  const columnOf = (axis: number) => Math.round(axis * gap);
  return {
    columns: width,
    rows,
    isFine,
    axes: axes.map(({ title, ticks }, index) => ({
      title,
      column: columnOf(index),
      ticks: toTicks(ticks, rows),
    })),
    lines: lines.map(({ job, isWinner, at }) => ({
      job,
      isWinner,
      line: toLine(at, columnOf, { rows, isFine }),
    })),
  };
}

type Axis = ReturnType<typeof parallelAxes>['axes'][number];

function labelWidth({ ticks }: Axis): number {
  return Math.max(0, ...ticks.map(({ label }) => displayWidth(label)));
}

function toTicks(ticks: Axis['ticks'], rows: number): CellAxis['ticks'] {
  const taken = new Map<number, string>();
  const placed = ticks.map(({ at, label }) => ({
    label,
    row: Math.round(at * (rows - 1)),
    exact: at * (rows - 1),
  }));
  const nearest = placed.toSorted((a, b) => Math.abs(a.exact - a.row) - Math.abs(b.exact - b.row));
  for (const { row, label } of [placed[0]!, placed.at(-1)!, ...nearest])
    if (!taken.has(row)) taken.set(row, label);
  return [...taken].map(([row, label]) => ({ row, label }));
}

/** Straight from axis to axis. In dots, it crosses an axis in the middle of a cell. */
function toLine(
  at: readonly number[],
  columnOf: (axis: number) => number,
  { rows, isFine }: Pick<SweepCellOptions, 'isFine'> & { rows: number },
): CellLine {
  const places = at.map((share, axis) => ({
    column: columnOf(axis) * (isFine ? 2 : 1),
    row: isFine ? (Math.round(share * (rows - 1)) + 0.5) * 4 - 0.5 : Math.round(share * (rows - 1)),
  }));
  const levels = places.flatMap(({ column, row }, axis) => {
    const next = places[axis + 1];
    if (!next) return [];
    const slope = (next.row - row) / (next.column - column);
    return Array.from({ length: next.column - column }, (_, step) => Math.round(row + step * slope));
  });
  const end = Math.round(places.at(-1)!.row);
  return { name: '', start: places[0]!.column, rows: [...levels, end], end, spans: [] };
}

/** A sweep's progress, and its best run or why there is none, in one row if they fit. */
export function sweepHead(sweep: Sweep, width: number): Span[][] {
  const progress = [
    { text: ` Sweep ${shortId(sweep.id)}`, style: { bold: true } },
    { text: `  ${sweepProgress(sweep)}  `, style: { dim: true } },
  ];
  const winner = winnerText(sweep);
  const text = winner ?? noWinnerText(sweep);
  if (text === null) return [progress];
  const best: Span[] = [
    ...(winner === null ? [] : [{ text: ' Best ', style: { bold: true, tone: 'evaluation' } } as const]),
    { text: ` ${toSafeLine(text)}` },
  ];
  return spansWidth([...progress, ...best]) <= width ? [[...progress, ...best]] : [progress, best];
}

const PICTURE = { leastWidth: 50, leastRows: 5, mostRows: 18 };
const LEAST_TABLE = 4;

/** The height for a sweep. Its chart is shown if that leaves enough rows for the table. */
export function sweepHeight(sweep: Sweep | null, width: number, free: number): number {
  if (!sweep) return 0;
  const head = sweepHead(sweep, width).length;
  const table = Math.min(sweep.runs.length, Math.max(LEAST_TABLE, Math.floor((free - head) / 2)));
  const height = Math.min(PICTURE.mostRows, free - head - table);
  return head + (sweepPicture(sweep, { width, height, isFine: false }) ? height : 0);
}

export interface SweepPicture {
  /** The row above the axes. */
  readonly titles: string;
  readonly axes: SweepCells['axes'];
  /** Lines are named after their jobs. */
  readonly chart: CellDrawing<string>;
}

/**
 * The chart and its titles; null if there is no room or nothing to show. The selected job's line is in front.
 */
export function sweepPicture(
  sweep: Sweep,
  { width, height, isFine, selected }: SweepCellOptions & { readonly selected?: string | undefined },
): SweepPicture | null {
  if (width < PICTURE.leastWidth || height < PICTURE.leastRows) return null;
  const cells = sweepCells(sweep, { width: width - 3, height: height - 1, isFine });
  if (!cells) return null;
  // The first axis replaces the one that every chart has.
  const axes = cells.axes.map((axis, index) => ({ ...axis, column: index === 0 ? 0 : axis.column + 1 }));
  const lines = cells.lines
    .toSorted((a, b) => Number(a.job.id === selected) - Number(b.job.id === selected))
    .map(({ job, line }) => ({ ...line, name: job.id }));
  const yLabels = new Array<string>(cells.rows).fill('');
  const frame = { minStep: 0, maxStep: 0, xLabels: '', yLabels, marks: [] };
  return { titles: axisTitles(axes, cells.columns), axes, chart: { ...cells, ...frame, lines } };
}

/** Puts each title above its axis: the first to its right, the last to its left, the others centered. */
function axisTitles(axes: SweepCells['axes'], columns: number): string {
  const room = Math.floor(columns / axes.length) - 1;
  return axes.reduce((drawn, { title, column }, axis) => {
    const text = cutToWidth(toSafeLine(title), room);
    const own = displayWidth(text);
    const middle = axis === 0 ? 0 : column - Math.floor(own / 2);
    const start = Math.min(middle, columns + 1 - own);
    return padToWidth(drawn, start) + text;
  }, '');
}
