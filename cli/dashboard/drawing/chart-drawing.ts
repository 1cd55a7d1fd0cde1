// Draws a chart of character cells as lines, its curves over one another, with marks, a cursor and labels.
import {
  type CellChart,
  type CellDrawing,
  type CellLineName,
  columnOfStep,
} from '../../../lib/console/index.js';
import type { Glyphs } from '../terminal/glyphs.js';
import { type Cells, emptyCells, layLine, toSpans } from './cell-layers.js';
import { type Line, type Style, span } from './line.js';

/** How a line is drawn, and the sign of its marks. */
export interface Pen {
  readonly style: Style;
  readonly mark: string;
  /** A dashed line only joins its marks. */
  readonly isDashed?: boolean;
}

const LOSS_PENS: Readonly<Record<CellLineName, Omit<Pen, 'mark'>>> = {
  raw: { style: { tone: 'training', dim: true } },
  training: { style: { tone: 'training' } },
  evaluation: { style: { tone: 'evaluation' }, isDashed: true },
};

/** The points of a score are no evaluations. */
export function scorePen({ scoreMark }: Glyphs): Pen {
  return { style: { tone: 'score' }, mark: scoreMark };
}

/** A loss chart, or that of a metric or score. `cursorStep`: on the x-axis. */
export function chartLines(
  chart: CellChart,
  cursorStep: number | null,
  glyphs: Glyphs,
  isScore = false,
): Line[] {
  return drawChart(chart, cursorStep, glyphs, name =>
    isScore ? scorePen(glyphs) : { ...LOSS_PENS[name], mark: glyphs.mark },
  );
}

export function drawChart<Name extends string>(
  chart: CellDrawing<Name>,
  cursorStep: number | null,
  glyphs: Glyphs,
  penOf: (name: Name) => Pen,
): Line[] {
  const cells = emptyCells(chart);
  for (const curve of chart.lines) {
    const pen = penOf(curve.name);
    if (curve.rows.length < 2 && pen.isDashed) continue;
    layLine(cells, curve, chart, pen, glyphs);
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

/** A vertical line through empty cells; cells of a curve are inverted. */
function layCursor(cells: Cells, column: number, glyphs: Glyphs): void {
  for (const row of cells) {
    const cell = row[column];
    row[column] = cell ? { ...cell, dim: false, inverse: true } : { sign: glyphs.cursor, bold: true };
  }
}
