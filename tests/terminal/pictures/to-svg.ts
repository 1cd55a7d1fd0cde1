// The screen of an emulator as a picture: text on a grid, in the sixteen colors of a common dark theme.
import type { Cell } from '../support/emulator.js';
import { escapeXml, THEMES, widthOf } from './to-recording.js';

const CELL = { width: 8.43, height: 16.3 };
const MARGIN = 8;
const FONT = "14px 'DejaVu Sans Mono', Menlo, Consolas, monospace";
const { ink: INK, paper: PAPER } = THEMES.dark;
const PALETTE = [...THEMES.dark.colors, ...THEMES.dark.bright];

export function toSvg(rows: readonly (readonly Cell[])[]): string {
  const columns = Math.max(...rows.map(widthOf));
  const width = wholePixels(columns * CELL.width + 2 * MARGIN);
  const height = wholePixels(rows.length * CELL.height + 2 * MARGIN);
  const drawn = rows.flatMap((row, index) => drawRow(row, MARGIN + index * CELL.height));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" style="font:${FONT};white-space:pre">
<rect width="100%" height="100%" fill="${PAPER}"/>
${drawn.join('\n')}
</svg>`;
}

/** Also at one and a quarter times the size: half a pixel would be an edge of another color. */
function wholePixels(size: number): number {
  return Math.ceil(size / 4) * 4;
}

/** Each sign at its place, so that no font's own widths shift what follows. */
function drawRow(row: readonly Cell[], top: number): string[] {
  const drawn: string[] = [];
  let left = MARGIN;
  for (const cell of row) {
    drawn.push(...drawCell(cell, left, top));
    left += cell.width * CELL.width;
  }
  return drawn;
}

function drawCell({ text, width, color, isBold, isDim, isInverse, isStruck }: Cell, x: number, y: number) {
  const own = color === null ? INK : (PALETTE[color] ?? INK);
  const drawn: string[] = [];
  const room = width * CELL.width;
  if (isInverse)
    drawn.push(
      `<rect x="${x}" y="${y}" width="${room + 0.1}" height="${CELL.height}" fill="${own}" shape-rendering="crispEdges"/>`,
    );
  if (text === ' ') return drawn;
  const style = [
    `fill="${isInverse ? PAPER : own}"`,
    isBold ? 'font-weight="bold"' : '',
    isDim ? 'opacity="0.55"' : '',
    isStruck ? 'text-decoration="line-through"' : '',
  ].join(' ');
  drawn.push(`<text x="${x}" y="${y + CELL.height * 0.78}" ${style}>${escapeXml(text)}</text>`);
  return drawn;
}
