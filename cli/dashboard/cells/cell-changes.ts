// What to write to turn one screen into another: only the cells that differ, each run of them at its place. It trusts a
// terminal with the width of a sign only where all terminals agree.
import { hasAgreedWidth } from '../../../lib/console/index.js';
import { type Cells, isBlank } from './cells.js';
import { styleChange } from './style-code.js';

/** Rewriting so many bytes in between is shorter than moving past them. */
const SHORT_GAP = 5;
/** Clearing the rest of a row is shorter than more blanks than this, and so is clearing a stretch within it. */
const SHORT_REST = 3;
const SHORT_BLANK = 9;
const CLEAR = '\u001b[0m\u001b[2J';
const CLEAR_REST = '\u001b[K';

/** Ends in the usual style. Without a screen before, or with one of another size, it clears the terminal first. */
export function cellChanges(before: Cells | null, after: Cells): string {
  const base = before?.columns === after.columns && before.rows === after.rows ? before : null;
  const pen = createPen(after);
  for (let row = 0; row < after.rows; row++) changeRow(pen, base, after, row);
  return (base ? '' : CLEAR) + pen.end();
}

function changeRow(pen: Pen, before: Cells | null, after: Cells, row: number): void {
  const { columns } = after;
  const start = row * columns;
  const differs = (column: number) => {
    const index = start + column;
    if (!before) return !isBlank(after, index);
    return before.signs[index] !== after.signs[index] || before.styles[index] !== after.styles[index];
  };
  const end = contentEnd(after, row);
  const isBlankAt = (column: number) => isBlank(after, start + column);
  let isForced = false;
  for (let column = 0; column < end; ) {
    const blank = differs(column) && isBlankAt(column) ? stretch(column, end, isBlankAt, differs) : 0;
    if (blank > SHORT_BLANK) {
      pen.erase(row, column, blank);
      column += blank;
      isForced = false;
      continue;
    }
    const width = widthAt(after, start + column, end - column);
    if (isForced || differs(column) || (width > 1 && differs(column + 1))) {
      isForced = !pen.write(row, column, width);
    } else isForced = false;
    column += width;
  }
  const stale = staleStretch(end, columns, column => (isForced && column === end) || differs(column));
  if (stale) pen.blank(row, stale.from, stale.to, columns);
}

/** The column after the last cell that is not blank. */
function contentEnd(cells: Cells, row: number): number {
  let end = cells.columns;
  while (end > 0 && isBlank(cells, row * cells.columns + end - 1)) end--;
  return end;
}

/** The columns of the sign there. */
function widthAt({ signs }: Cells, index: number, most: number): number {
  let width = 1;
  while (width < most && signs[index + width] === '') width++;
  return width;
}

/** How many cells from there on are blank, up to the last one that differs. */
function stretch(
  from: number,
  end: number,
  isBlankAt: (column: number) => boolean,
  differs: (column: number) => boolean,
): number {
  let to = from;
  for (let column = from; column < end && isBlankAt(column); column++) if (differs(column)) to = column + 1;
  return to - from;
}

/** From the first column to clear up to the last. */
function staleStretch(
  from: number,
  to: number,
  isStale: (column: number) => boolean,
): { from: number; to: number } | null {
  while (from < to && !isStale(from)) from++;
  while (from < to && !isStale(to - 1)) to--;
  return from < to ? { from, to } : null;
}

interface Pen {
  /** Returns false if the terminal may disagree on the sign's width, so that the next one has to be written, too. */
  write(row: number, column: number, width: number): boolean;
  /** So many blanks. */
  erase(row: number, column: number, count: number): void;
  /** Blanks up to a column, or to the end of the row. */
  blank(row: number, from: number, to: number, columns: number): void;
  end(): string;
}

function createPen(cells: Cells): Pen {
  let out = '';
  let style = 0;
  /** Where the terminal's cursor is; -1 where that is not known. */
  let at = { row: -1, column: -1 };

  function setStyle(next: number): void {
    out += styleChange(style, next);
    style = next;
  }

  function moveTo(row: number, column: number): void {
    if (at.row === row && at.column === column) return;
    if (at.row === row && at.column >= 0 && canRewrite(row, at.column, column)) {
      for (let gap = at.column; gap < column; gap++) out += cells.signs[row * cells.columns + gap];
      return;
    }
    out += at.row === row ? `\u001b[${column + 1}G` : `\u001b[${row + 1};${column + 1}H`;
  }

  function canRewrite(row: number, from: number, to: number): boolean {
    let bytes = 0;
    for (let column = from; column < to && bytes <= SHORT_GAP; column++) {
      const index = row * cells.columns + column;
      const sign = cells.signs[index]!;
      if (sign === '' || cells.styles[index] !== style || !hasAgreedWidth(sign)) return false;
      bytes += sign < '\u0080' ? 1 : 3;
    }
    return from <= to && bytes <= SHORT_GAP;
  }

  return {
    write(row, column, width) {
      const index = row * cells.columns + column;
      const sign = cells.signs[index]!;
      const isAgreed = hasAgreedWidth(sign);
      moveTo(row, column);
      setStyle(cells.styles[index]!);
      // Where the terminal takes the sign to be narrower, its second half must not keep what was there.
      if (!isAgreed && width > 1) out += `\u001b[${width}X`;
      out += sign;
      const next = column + width;
      at = { row, column: isAgreed && next < cells.columns ? next : -1 };
      return isAgreed;
    },
    erase(row, column, count) {
      moveTo(row, column);
      setStyle(0);
      out += `\u001b[${count}X`;
      at = { row, column };
    },
    blank(row, from, to, columns) {
      moveTo(row, from);
      setStyle(0);
      if (to - from <= SHORT_REST) {
        out += ' '.repeat(to - from);
        at = { row, column: to < columns ? to : -1 };
      } else {
        out += CLEAR_REST;
        at = { row, column: from };
      }
    },
    end() {
      setStyle(0);
      return out;
    },
  };
}
