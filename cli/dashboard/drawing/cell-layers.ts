// The cells of a picture, and lines laid on them: in braille, or by asciichart, where spans of several rows within a column
// are joined to the curve.
import asciichart from 'asciichart';
import type { CellDrawing, CellLine } from '../../../lib/console/index.js';
import type { Glyphs } from '../terminal/glyphs.js';
import { brailleSigns, joinDots } from './braille.js';
import { type Span, type Style, span } from './line.js';

interface Cell extends Style {
  readonly sign: string;
}

/** By row from the top and column. */
export type Cells = (Cell | undefined)[][];

/** The size of a picture in cells, and whether its lines are in dots. */
type Area = Pick<CellDrawing, 'rows' | 'columns' | 'isFine'>;

interface Stroke {
  readonly style: Style;
  readonly isDashed?: boolean;
  /** Its dots are added to those of the lines behind it. */
  readonly addsDots?: boolean;
}

export function emptyCells({ rows, columns }: Area): Cells {
  return Array.from({ length: rows }, () => new Array(columns).fill(undefined));
}

export function layLine(cells: Cells, curve: CellLine, area: Area, stroke: Stroke, glyphs: Glyphs): void {
  if (area.isFine) layDots(cells, curve, area, stroke);
  else layCurve(cells, curve, area, stroke.isDashed ? glyphs.dashed : glyphs.solid, stroke.style);
}

function layDots(
  cells: Cells,
  curve: CellLine,
  area: Area,
  { style, isDashed = false, addsDots = false }: Stroke,
): void {
  brailleSigns(curve, { ...area, isDashed }).forEach((signs, row) => {
    signs.forEach((sign, column) => {
      const behind = addsDots ? cells[row]![column]?.sign : undefined;
      if (sign !== '') cells[row]![column] = { ...style, sign: behind ? joinDots(sign, behind) : sign };
    });
  });
}

function layCurve(
  cells: Cells,
  { start, rows, end, spans }: CellLine,
  area: Area,
  signs: string,
  style: Style,
): void {
  const spanAt = new Map(spans.map(span => [span.column, span]));
  plotArms([...rows, end], area.rows).forEach((line, index) => {
    line.forEach((arms, at) => {
      const { low, high } = spanAt.get(start + at) ?? NO_SPAN;
      const row = area.rows - 1 - index;
      const joined =
        arms | (row >= low && row < high ? ARM.up : 0) | (row > low && row <= high ? ARM.down : 0);
      if (joined !== 0 && start + at < area.columns)
        cells[index]![start + at] = { ...style, sign: signs[joined]! };
    });
  });
}

const ARM = { left: 1, right: 2, up: 4, down: 8 };
const NO_SPAN = { low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY };

/** asciichart's symbols, by the directions of their arms. */
const ARMS: Readonly<Record<string, number>> = {
  ' ': 0,
  '─': ARM.left | ARM.right,
  '│': ARM.up | ARM.down,
  '╰': ARM.up | ARM.right,
  '╭': ARM.down | ARM.right,
  '╮': ARM.left | ARM.down,
  '╯': ARM.left | ARM.up,
};

/** The arms of a curve in each cell, from the top. Each column contains the way to the next one. */
function plotArms(rows: readonly number[], height: number): number[][] {
  const plotted = asciichart.plot([...rows], {
    min: 0,
    max: height - 1,
    height: height - 1,
    offset: 0,
    symbols: ['─', ' ', ' ', ' ', '─', '╰', '╭', '╮', '╯', '│'],
    format: () => ' ',
  });
  return plotted.split('\n').map(text => [...text].map(sign => ARMS[sign]!));
}

/** Merges neighboring cells of the same style. */
export function toSpans(cells: readonly (Cell | undefined)[]): Span[] {
  const spans: Span[] = [];
  let text = '';
  let style: Style = {};
  const flush = () => {
    if (text !== '') spans.push(span(text, style));
    text = '';
  };
  for (const cell of cells) {
    const { sign, ...own } = cell ?? { sign: ' ' };
    if (!isSame(style, own)) flush();
    style = own;
    text += sign;
  }
  flush();
  return spans;
}

function isSame(a: Style, b: Style): boolean {
  return a.tone === b.tone && a.bold === b.bold && a.dim === b.dim && a.inverse === b.inverse;
}
