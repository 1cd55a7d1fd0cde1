// A screen as cells: the sign in each and the code of its style. It knows nothing about terminals.

export interface Cells {
  readonly columns: number;
  readonly rows: number;
  /** Row by row. The second half of a wide sign is empty. */
  readonly signs: string[];
  /** As `style-code.ts` has them. */
  readonly styles: Uint16Array;
}

const BLANK = ' ';

export function blankCells(columns: number, rows: number): Cells {
  const count = columns * rows;
  return { columns, rows, signs: new Array<string>(count).fill(BLANK), styles: new Uint16Array(count) };
}

export function isBlank({ signs, styles }: Cells, index: number): boolean {
  return signs[index] === BLANK && styles[index] === 0;
}

/**
 * Puts a sign of so many columns into a row and returns the column after it. A mark of no column joins the sign before it;
 * a wide sign that would be cut in half is left out.
 */
export function putSign(
  cells: Cells,
  row: number,
  column: number,
  { sign, width, style }: { sign: string; width: number; style: number },
): number {
  const { columns, signs, styles } = cells;
  const index = row * columns + column;
  if (width === 0) {
    if (column > 0) joinMark(cells, index - 1, sign);
    return column;
  }
  if (column + width > columns) return columns;
  for (let half = 0; half < width; half++) {
    signs[index + half] = half === 0 ? sign : '';
    styles[index + half] = style;
  }
  return column + width;
}

function joinMark({ signs }: Cells, index: number, mark: string): void {
  const head = signs[index] === '' ? index - 1 : index;
  signs[head] += mark;
}
