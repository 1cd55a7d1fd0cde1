// Draws a chart of character cells as lines, its curves over one another: in braille, or by asciichart, where spans of
// several rows within a column are joined to the curve.
import asciichart from 'asciichart';
import {
  type CellChart,
  type CellDrawing,
  type CellLine,
  type CellLineName,
  columnOfStep,
} from '../../../lib/console/index.js';
import type { Glyphs } from '../terminal/glyphs.js';
import { brailleSigns } from './braille.js';
import { type Line, type Span, type Style, span } from './line.js';

/** How a line is drawn, and the sign of its marks. */
export interface Pen {
  readonly style: Style;
  readonly mark: string;
  /** A dashed line only joins its marks. */
  readonly isDashed?: boolean;
}

interface Cell extends Style {
  readonly sign: string;
}

type Cells = (Cell | undefined)[][];

const LOSS_PENS: Readonly<Record<CellLineName, Omit<Pen, 'mark'>>> = {
  raw: { style: { tone: 'training', dim: true } },
  training: { style: { tone: 'training' } },
  evaluation: { style: { tone: 'evaluation' }, isDashed: true },
};

/** A loss chart. `cursorStep`: on the x-axis. */
export function chartLines(chart: CellChart, cursorStep: number | null, glyphs: Glyphs): Line[] {
  return drawChart(chart, cursorStep, glyphs, name => ({ ...LOSS_PENS[name], mark: glyphs.mark }));
}

export function drawChart<Name extends string>(
  chart: CellDrawing<Name>,
  cursorStep: number | null,
  glyphs: Glyphs,
  penOf: (name: Name) => Pen,
): Line[] {
  const cells: Cells = Array.from({ length: chart.rows }, () => new Array(chart.columns).fill(undefined));
  for (const curve of chart.lines) {
    const pen = penOf(curve.name);
    if (curve.rows.length < 2 && pen.isDashed) continue;
    if (chart.isFine) layDots(cells, curve, chart, pen);
    else layCurve(cells, curve, chart, pen.isDashed ? glyphs.dashed : glyphs.solid, pen.style);
  }
  for (const { name, column, row } of chart.marks) {
    const { style, mark } = penOf(name);
    cells[chart.rows - 1 - row]![column] = { ...style, sign: mark };
  }
  if (cursorStep !== null) layCursor(cells, columnOfStep(chart, cursorStep), glyphs);
  const rows = cells.map((row, index) => [
    span(`${chart.yLabels[index]}`, { dim: true }),
    span(glyphs.axis, { dim: true }),
    ...toSpans(row),
  ]);
  const labelWidth = (chart.yLabels[0]?.length ?? 0) + 1;
  return [...rows, [span(' '.repeat(labelWidth)), span(chart.xLabels, { dim: true })]];
}

function layDots(cells: Cells, curve: CellLine, chart: CellDrawing, { style, isDashed = false }: Pen): void {
  brailleSigns(curve, { ...chart, isDashed }).forEach((signs, row) => {
    signs.forEach((sign, column) => {
      if (sign !== '') cells[row]![column] = { ...style, sign };
    });
  });
}

function layCurve(
  cells: Cells,
  { start, rows, end, spans }: CellLine,
  chart: CellDrawing,
  signs: string,
  style: Style,
): void {
  const spanAt = new Map(spans.map(span => [span.column, span]));
  plotArms([...rows, end], chart.rows).forEach((line, index) => {
    line.forEach((arms, at) => {
      const { low, high } = spanAt.get(start + at) ?? NO_SPAN;
      const row = chart.rows - 1 - index;
      const joined =
        arms | (row >= low && row < high ? ARM.up : 0) | (row > low && row <= high ? ARM.down : 0);
      if (joined !== 0 && start + at < chart.columns)
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

/** A vertical line through empty cells; cells of a curve are inverted. */
function layCursor(cells: Cells, column: number, glyphs: Glyphs): void {
  for (const row of cells) {
    const cell = row[column];
    row[column] = cell ? { ...cell, dim: false, inverse: true } : { sign: glyphs.cursor, bold: true };
  }
}

/** Merges neighboring cells of the same style. */
function toSpans(cells: readonly (Cell | undefined)[]): Span[] {
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
