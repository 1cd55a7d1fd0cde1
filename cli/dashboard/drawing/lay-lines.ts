// Puts lines into the cells of a screen: in the terminal's colors, in characters that it can show.
import { displayWidth, forEachSign } from '../../../lib/console/index.js';
import { blankCells, type Cells, putSign } from '../cells/cells.js';
import { BOLD, DIM, INVERSE, STRIKE, styleCode } from '../cells/style-code.js';
import { toAscii } from '../terminal/glyphs.js';
import type { Look } from '../terminal/look.js';
import type { Line, Style, Tone } from './line.js';

const COLORS: Readonly<Record<Tone, number>> = {
  queued: 90,
  running: 94,
  completed: 32,
  failed: 31,
  cancelled: 33,
  training: 36,
  evaluation: 35,
  score: 94,
  accent: 94,
  run1: 94,
  run2: 33,
  run3: 32,
  run4: 35,
  run5: 36,
  run6: 31,
  warning: 33,
};

interface Area {
  readonly columns: number;
  readonly rows: number;
}

/** Never wider or taller than the area. */
export function layLines(lines: readonly Line[], { columns, rows }: Area, look: Look): Cells {
  const cells = blankCells(columns, rows);
  for (const [row, spans] of lines.slice(0, rows).entries()) layLine(cells, row, spans, look);
  return cells;
}

function layLine(cells: Cells, row: number, spans: Line, look: Look): void {
  let column = 0;
  for (const { text, ...own } of spans) {
    const style = codeOf(own, look);
    forEachSign(look.isUnicode ? text : toAscii(text, displayWidth), (sign, width) => {
      column = putSign(cells, row, column, { sign, width, style });
    });
  }
}

function codeOf({ tone, bold, dim, inverse, strike }: Style, { isColored }: Look): number {
  const attributes = (bold ? BOLD : 0) | (dim ? DIM : 0) | (inverse ? INVERSE : 0) | (strike ? STRIKE : 0);
  return styleCode(attributes, tone && isColored ? COLORS[tone] : 0);
}
