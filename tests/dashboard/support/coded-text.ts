// A screen as text with a code for each style, in the order bold, dim, inverse, struck, color; blanks at the ends are left out.
import { type Cells, isBlank } from '../../../cli/dashboard/cells/cells.js';
import { styleParameters } from '../../../cli/dashboard/cells/style-code.js';

export function toCodedText(cells: Cells): string {
  const rows = Array.from({ length: cells.rows }, (_, row) => codedRow(cells, row));
  return rows.join('\n');
}

function codedRow(cells: Cells, row: number): string {
  const start = row * cells.columns;
  let end = start + cells.columns;
  while (end > start && isBlank(cells, end - 1)) end--;
  let text = '';
  let style = 0;
  for (let index = start; index < end; index++) {
    const next = cells.styles[index]!;
    if (next !== style) {
      const codes = styleParameters(next).map(parameter => `\u001b[${parameter}m`);
      text += (style === 0 ? '' : '\u001b[0m') + codes.join('');
    }
    style = next;
    text += cells.signs[index];
  }
  return style === 0 ? text : `${text}\u001b[0m`;
}
