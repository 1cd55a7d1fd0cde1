// A screen with these rows of text, in the terminal's own style.
import type { Cells } from '../../../cli/dashboard/cells/cells.js';
import { layLines } from '../../../cli/dashboard/drawing/lay-lines.js';
import { line } from '../../../cli/dashboard/drawing/line.js';
import { unicodeGlyphs } from '../../../cli/dashboard/terminal/glyphs.js';

const look = { isColored: true, isUnicode: true, glyphs: unicodeGlyphs };

export function cellsOf(columns: number, rows: number, ...texts: string[]): Cells {
  return layLines(
    texts.map(text => line(text)),
    { columns, rows },
    look,
  );
}
