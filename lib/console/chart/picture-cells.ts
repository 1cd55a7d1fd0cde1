// Places a chart's lines in cells, and finds the cells that need an overlay because asciichart cannot draw
// them: dashes, columns whose points span several rows, marks and the cursor, and lines that do not start at
// the axis.

import type { Span, Style } from '../text/spans.js';
import { type CellDrawing, type CellLine, columnOfStep } from './cell-grid.js';

/** The characters used in a chart. */
interface Signs {
  /** One for each combination of a line's arms: 1 for left, 2 for right, 4 for up, 8 for down, added up. */
  readonly solid: string;
  readonly axis: string;
  readonly cursor: string;
}

/** How a line is drawn, and the character of its marks. */
export interface Pen {
  readonly style: Style;
  readonly mark: string;
  /** A dashed line only joins its marks. */
  readonly isDashed?: boolean;
  /** Merges its dots with those of the lines behind it. */
  readonly addsDots?: boolean;
}

export type PenOf<Name extends string> = (name: Name) => Pen;

interface Cell {
  readonly sign: string;
  readonly style: Style;
  /** asciichart draws something else here. */
  readonly isOver: boolean;
}

/** By row from the top and column. */
export type Cells = (Cell | undefined)[][];

const BLANK: Cell = { sign: ' ', style: {}, isOver: true };
const ARM = { left: 1, right: 2, up: 4, down: 8 };
const ALL_ARMS = 15;
/** The dash pattern in cells along the line. */
const DASH = { on: 2, all: 3 };

/** The symbols of asciichart, in its order. */
export function chartSymbols({ solid, axis }: Signs): string[] {
  const { left, right, up, down } = ARM;
  const arms = [left | right, up | right, down | right, left | down, left | up, up | down];
  return [solid[ALL_ARMS]!, axis, '', '', ...arms.map(sum => solid[sum]!)];
}

/** A dashed line with only one point is drawn as its mark. */
export function drawnLines<Name extends string>({ lines }: CellDrawing<Name>, penOf: PenOf<Name>) {
  return lines.filter(({ name, rows }) => rows.length > 1 || !penOf(name).isDashed);
}

/** A chart's lines, marks and cursor. The first column is the axis. */
export function chartCells<Name extends string>(
  chart: CellDrawing<Name>,
  cursor: number | null,
  penOf: PenOf<Name>,
  signs: Signs,
): Cells {
  const { rows, columns, isFine } = chart;
  const axis = { sign: signs.axis, style: { dim: true }, isOver: isFine };
  const cells: Cells = Array.from({ length: rows }, () => [axis, ...new Array(columns).fill(undefined)]);
  for (const line of drawnLines(chart, penOf)) {
    const pen = penOf(line.name);
    if (isFine) layDots(cells, line, pen);
    else layLine(cells, line, pen, signs.solid);
  }
  for (const { name, column, row } of chart.marks) {
    const { style, mark } = penOf(name);
    cells[rows - 1 - row]![column + 1] = { sign: mark, style, isOver: true };
  }
  if (cursor !== null && cursor >= chart.minStep && cursor <= chart.maxStep)
    layCursor(cells, columnOfStep(chart, cursor) + 1, signs.cursor);
  return cells;
}

function layLine(cells: Cells, line: CellLine, { style, isDashed }: Pen, signs: string): void {
  const { start, rows, end } = line;
  const spans = new Map(line.spans.map(span => [span.column, span]));
  const lay = (row: number, column: number, sign: string | null, isOver: boolean) => {
    const cellsOfRow = cells[cells.length - 1 - row]!;
    const behind = cellsOfRow[column + 1] ?? BLANK;
    cellsOfRow[column + 1] = sign === null ? { ...behind, isOver: true } : { sign, style, isOver };
  };
  if (start === 0) lay(rows[0]!, -1, signs[ALL_ARMS]!, false);
  else for (let column = -1; column < start; column++) lay(rows[0]!, column, null, true);
  let walked = 0;
  rows.forEach((from, index) => {
    const to = rows[index + 1] ?? end;
    const column = start + index;
    const way = { low: Math.min(from, to), high: Math.max(from, to) };
    const span = spans.get(column) ?? way;
    for (let row = Math.min(way.low, span.low); row <= Math.max(way.high, span.high); row++) {
      const plotted = (row === from ? ARM.left : 0) | (row === to ? ARM.right : 0) | upright(row, way);
      const arms = plotted | upright(row, span);
      const isGap = isDashed && (walked + Math.abs(row - from)) % DASH.all >= DASH.on;
      lay(row, column, isGap ? null : signs[arms]!, arms !== plotted);
    }
    walked += way.high - way.low + 1;
  });
}

/** The arms of a vertical line in one of its rows. */
function upright(row: number, { low, high }: { readonly low: number; readonly high: number }): number {
  return (row >= low && row < high ? ARM.up : 0) | (row > low && row <= high ? ARM.down : 0);
}

function layDots(cells: Cells, line: CellLine, { style, isDashed = false, addsDots }: Pen): void {
  const size = { rows: cells.length, columns: cells[0]!.length - 1 };
  brailleSigns(line, { ...size, isDashed }).forEach((signs, row) => {
    signs.forEach((own, column) => {
      const behind = addsDots ? cells[row]![column + 1]?.sign : undefined;
      const sign = behind && own ? joinDots(own, behind) : own;
      if (sign !== '') cells[row]![column + 1] = { sign, style, isOver: true };
    });
  });
}

/** In braille, each cell has two columns and four rows of dots: the bit of each, by its column and its row from the top. */
const BITS = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const;
const NO_DOTS = 0x2800;
/** The dash pattern in columns of dots. */
const DOT_DASH = { on: 4, all: 6 };

interface BrailleOptions {
  /** In cells. */
  readonly columns: number;
  readonly rows: number;
  readonly isDashed: boolean;
}

/** A line's braille characters by row from the top and column; empty where it has no dot. */
function brailleSigns(
  { start, rows: levels, end, spans }: CellLine,
  { columns, rows, isDashed }: BrailleOptions,
): string[][] {
  const bits = Array.from({ length: rows }, () => new Uint8Array(columns));
  const fill = (column: number, from: number, to: number) => {
    const cell = column >> 1;
    if (cell >= columns || (isDashed && column % DOT_DASH.all >= DOT_DASH.on)) return;
    for (let level = from; level <= to; level++) {
      const fromTop = rows * 4 - 1 - level;
      bits[fromTop >> 2]![cell]! |= BITS[column & 1]![fromTop & 3]!;
    }
  };
  levels.forEach((level, index) => {
    const next = levels[index + 1] ?? end;
    // Fills the way to the next column, up to the dot before it.
    fill(
      start + index,
      Math.min(level, next + (next < level ? 1 : 0)),
      Math.max(level, next - (next > level ? 1 : 0)),
    );
  });
  for (const { column, low, high } of spans) fill(column, low, high);
  return bits.map(row => Array.from(row, dots => (dots === 0 ? '' : String.fromCharCode(NO_DOTS + dots))));
}

/** A character with the dots of both. */
function joinDots(sign: string, other: string): string {
  return String.fromCharCode(sign.charCodeAt(0) | other.charCodeAt(0));
}

/** Draws a vertical line through empty cells; cells with a line are inverted. */
function layCursor(cells: Cells, column: number, sign: string): void {
  for (const row of cells) {
    const cell = row[column];
    row[column] =
      cell && cell.sign !== BLANK.sign
        ? { ...cell, style: { ...cell.style, dim: false, inverse: true }, isOver: true }
        : { sign, style: { bold: true }, isOver: true };
  }
}

interface Run {
  readonly column: number;
  readonly spans: readonly Span[];
}

/**
 * Groups neighboring cells of the same style in a row into one text. `isAll`: include cells that are not
 * overlaid on asciichart's.
 */
export function toRuns(row: Cells[number], isAll: boolean): Run[] {
  const runs: { column: number; end: number; spans: { text: string; style: Style }[] }[] = [];
  row.forEach((cell, column) => {
    if (!isAll && !cell?.isOver) return;
    const { sign, style } = cell ?? BLANK;
    if (runs.at(-1)?.end !== column) runs.push({ column, end: column, spans: [] });
    const run = runs.at(-1)!;
    run.end++;
    const last = run.spans.at(-1);
    if (last && isSame(last.style, style)) last.text += sign;
    else run.spans.push({ text: sign, style });
  });
  return runs;
}

function isSame(a: Style, b: Style): boolean {
  return a.tone === b.tone && a.bold === b.bold && a.dim === b.dim && a.inverse === b.inverse;
}
