// A line of a chart in braille: each cell has two columns and four rows of dots.
import type { CellLine } from './cell-grid.js';

/** The bit of each dot, by its column and its row from the top. */
const BITS = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const;
const BLANK = 0x2800;
/** Of a dashed line, in columns of dots. */
const DASH = { on: 4, all: 6 };

interface BrailleOptions {
  /** In cells. */
  readonly columns: number;
  readonly rows: number;
  readonly isDashed: boolean;
}

/** The signs of a line by row from the top and column; empty where it has no dot. */
export function brailleSigns(
  { start, rows: levels, end, spans }: CellLine,
  { columns, rows, isDashed }: BrailleOptions,
): string[][] {
  const bits = Array.from({ length: rows }, () => new Uint8Array(columns));
  const fill = (column: number, from: number, to: number) => {
    const cell = column >> 1;
    if (cell >= columns || (isDashed && column % DASH.all >= DASH.on)) return;
    for (let level = from; level <= to; level++) {
      const fromTop = rows * 4 - 1 - level;
      bits[fromTop >> 2]![cell]! |= BITS[column & 1]![fromTop & 3]!;
    }
  };
  levels.forEach((level, index) => {
    const next = levels[index + 1] ?? end;
    // The way to the next column, up to the dot before it.
    fill(
      start + index,
      Math.min(level, next + (next < level ? 1 : 0)),
      Math.max(level, next - (next > level ? 1 : 0)),
    );
  });
  for (const { column, low, high } of spans) fill(column, low, high);
  return bits.map(row => Array.from(row, dots => (dots === 0 ? '' : String.fromCharCode(BLANK + dots))));
}

/** A sign with the dots of both. */
export function joinDots(sign: string, other: string): string {
  return String.fromCharCode(sign.charCodeAt(0) | other.charCodeAt(0));
}
