// Puts the text field, which Ink draws, into the cells of the screen. In Ink's frame of it, only the caret has a style.
import { displayWidth, forEachSign } from '../../../lib/console/index.js';
import { type Cells, putSign } from '../cells/cells.js';
import { INVERSE } from '../cells/style-code.js';
import { toAscii } from '../terminal/glyphs.js';
import type { Look } from '../terminal/look.js';
import type { FieldPlace } from './canvas.js';

const ESCAPE = '\u001b';
const CODE = new RegExp(`${ESCAPE}\\[(\\d+)m`);
const INVERSE_ON = '7';

export function layField(cells: Cells, place: Omit<FieldPlace, 'change'>, frame: string, look: Look): void {
  const { row, width } = place;
  if (row >= cells.rows) return;
  const end = Math.min(cells.columns, place.column + width);
  let column = place.column;
  const put = (text: string, style: number) =>
    forEachSign(look.isUnicode ? text : toAscii(text, displayWidth), (sign, columns) => {
      if (column + columns <= end) column = putSign(cells, row, column, { sign, width: columns, style });
    });
  // Split by a pattern with a group, every other part is a code.
  let style = 0;
  (frame.split('\n', 1)[0] ?? '').split(CODE).forEach((part, index) => {
    if (index % 2 === 0) put(part, style);
    else style = part === INVERSE_ON ? INVERSE : 0;
  });
  while (column < end) column = putSign(cells, row, column, { sign: ' ', width: 1, style: 0 });
}
