// A chart of character cells as lines: asciichart draws each curve, and they are laid over one another here.
import asciichart from 'asciichart';
import {
  type CellChart,
  type CellLine,
  type CellLineName,
  columnOfStep,
} from '../../../lib/console/index.js';
import type { Glyphs } from '../terminal/glyphs.js';
import { type Line, type Span, type Style, span } from './line.js';

interface Cell extends Style {
  readonly sign: string;
}

type Cells = (Cell | undefined)[][];

const STYLES: Readonly<Record<CellLineName, Style>> = {
  raw: { tone: 'training', dim: true },
  training: { tone: 'training' },
  evaluation: { tone: 'evaluation' },
};

export function chartLines(chart: CellChart, cursorStep: number | null, glyphs: Glyphs): Line[] {
  const cells: Cells = Array.from({ length: chart.rows }, () => new Array(chart.columns).fill(undefined));
  for (const curve of chart.lines) {
    if (curve.rows.length > 1 || curve.name !== 'evaluation') layCurve(cells, curve, chart, glyphs);
  }
  for (const { column, row } of chart.marks)
    cells[chart.rows - 1 - row]![column] = { ...STYLES.evaluation, sign: glyphs.mark };
  if (cursorStep !== null) layCursor(cells, columnOfStep(chart, cursorStep), glyphs);
  const rows = cells.map((row, index) => [
    span(`${chart.yLabels[index]}`, { dim: true }),
    span(glyphs.axis, { dim: true }),
    ...toSpans(row),
  ]);
  const labelWidth = (chart.yLabels[0]?.length ?? 0) + 1;
  return [...rows, [span(' '.repeat(labelWidth)), span(chart.xLabels, { dim: true })]];
}

function layCurve(
  cells: Cells,
  { name, start, rows, spans }: CellLine,
  chart: CellChart,
  glyphs: Glyphs,
): void {
  const signs = name === 'evaluation' ? glyphs.dashed : glyphs.solid;
  const style = STYLES[name];
  // A column's cell shows how the line leaves it; the last one leaves level.
  const plotted = asciichart.plot([...rows, rows.at(-1)!], {
    min: 0,
    max: chart.rows - 1,
    height: chart.rows - 1,
    offset: 0,
    symbols: signs,
    format: () => ' ',
  });
  plotted.split('\n').forEach((text, index) => {
    [...text].forEach((sign, at) => {
      const column = start + at;
      if (sign !== ' ' && column < chart.columns) cells[index]![column] = { ...style, sign };
    });
  });
  for (const { column, low, high } of spans) {
    for (let row = low; row <= high; row++)
      cells[chart.rows - 1 - row]![column] ??= { ...style, sign: signs[9] };
  }
}

/** A line through what is empty, and what is on it in reverse. */
function layCursor(cells: Cells, column: number, glyphs: Glyphs): void {
  for (const row of cells) {
    const cell = row[column];
    row[column] = cell ? { ...cell, dim: false, inverse: true } : { sign: glyphs.cursor, bold: true };
  }
}

/** Neighbours of one style together. */
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
