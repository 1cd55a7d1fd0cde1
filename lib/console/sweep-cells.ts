// The parallel axes of a sweep on a grid of character cells. The caller picks the characters to draw.
import type { CellLine } from './cell-grid.js';
import { displayWidth } from './display-width.js';
import { parallelAxes, type Sweep, type SweepLine } from './sweep.js';

interface SweepCellOptions {
  readonly width: number;
  readonly height: number;
  /** Lines in braille dots: two columns and four rows in each cell. */
  readonly isFine: boolean;
}

interface CellAxis {
  readonly title: string;
  readonly column: number;
  /** Those that have a row to themselves, 0 at the bottom; the ends come first. */
  readonly ticks: readonly { readonly row: number; readonly label: string }[];
}

export interface SweepCells {
  readonly columns: number;
  readonly rows: number;
  readonly isFine: boolean;
  readonly axes: readonly CellAxis[];
  /** From back to front. */
  readonly lines: readonly (Pick<SweepLine, 'job' | 'isWinner'> & { readonly line: CellLine })[];
}

/** Between an axis and its label, and between the label and the edge. */
const AROUND_LABEL = 2;

/** Null where fewer than two axes leave nothing to see, or there is no room for them. */
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
