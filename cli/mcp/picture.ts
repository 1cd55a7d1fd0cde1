// A picture in memory: lines, small characters, and PNG.
import { crc32, deflateSync } from 'node:zlib';

export type Color = readonly [red: number, green: number, blue: number];
type Point = readonly [x: number, y: number];

export interface Picture {
  line(from: Point, to: Point, color: Color, thickness?: number): void;
  /** `align`: which part of the text is at x; y is its middle. Characters without a glyph are left blank. */
  text(at: Point, text: string, color: Color, align?: 'left' | 'right' | 'center'): void;
  toPng(): Buffer;
}

/** Rows of pixels, from the top: three per row, as binary digits. */
const GLYPHS: Readonly<Record<string, readonly number[]>> = {
  '0': [7, 5, 5, 5, 7],
  '1': [2, 6, 2, 2, 7],
  '2': [7, 1, 7, 4, 7],
  '3': [7, 1, 7, 1, 7],
  '4': [5, 5, 7, 1, 1],
  '5': [7, 4, 7, 1, 7],
  '6': [7, 4, 7, 5, 7],
  '7': [7, 1, 1, 1, 1],
  '8': [7, 5, 7, 5, 7],
  '9': [7, 5, 7, 1, 7],
  '.': [0, 0, 0, 0, 2],
  ',': [0, 0, 0, 2, 4],
  '-': [0, 0, 7, 0, 0],
  '−': [0, 0, 7, 0, 0],
  a: [0, 3, 5, 5, 3],
  d: [1, 3, 5, 5, 3],
  e: [2, 5, 7, 4, 3],
  g: [0, 3, 5, 3, 6],
  h: [4, 6, 5, 5, 5],
  i: [2, 0, 2, 2, 2],
  k: [4, 5, 6, 5, 5],
  l: [6, 2, 2, 2, 7],
  n: [0, 6, 5, 5, 5],
  o: [0, 2, 5, 5, 2],
  p: [0, 6, 5, 6, 4],
  r: [0, 5, 6, 4, 4],
  s: [0, 3, 6, 3, 6],
  t: [2, 7, 2, 2, 1],
  u: [0, 5, 5, 5, 3],
  v: [0, 5, 5, 5, 2],
  w: [0, 5, 5, 7, 7],
};
const GLYPH = { columns: 3, rows: 5, pixel: 2 };
/** With the gap to the next. */
export const CHARACTER_WIDTH = (GLYPH.columns + 1) * GLYPH.pixel;

export function createPicture(width: number, height: number, background: Color): Picture {
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < pixels.length; at += 3) pixels.set(background, at);

  function fill(left: number, top: number, size: number, color: Color): void {
    for (let y = Math.max(0, Math.round(top)); y < Math.min(height, Math.round(top) + size); y++)
      for (let x = Math.max(0, Math.round(left)); x < Math.min(width, Math.round(left) + size); x++)
        pixels.set(color, (y * width + x) * 3);
  }

  return {
    line([x1, y1], [x2, y2], color, thickness = 1) {
      const steps = Math.max(1, Math.ceil(Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1))));
      for (let step = 0; step <= steps; step++) {
        const part = step / steps;
        fill(x1 + (x2 - x1) * part, y1 + (y2 - y1) * part, thickness, color);
      }
    },
    text([x, y], text, color, align = 'left') {
      const { columns, rows, pixel } = GLYPH;
      const whole = text.length * CHARACTER_WIDTH - pixel;
      const left = align === 'left' ? x : align === 'right' ? x - whole : x - whole / 2;
      [...text].forEach((character, index) => {
        const glyph = GLYPHS[character] ?? [];
        glyph.forEach((bits, row) => {
          for (let column = 0; column < columns; column++)
            if (bits & (1 << (columns - 1 - column)))
              fill(
                left + index * CHARACTER_WIDTH + column * pixel,
                y + (row - rows / 2) * pixel,
                pixel,
                color,
              );
        });
      });
    },
    toPng: () => encodePng(pixels, width, height),
  };
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const [BITS, RGB] = [8, 2];

function encodePng(pixels: Buffer, width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([BITS, RGB], 8);
  // Each row begins with its filter: none.
  const rows = Buffer.alloc(height * (width * 3 + 1));
  for (let y = 0; y < height; y++)
    pixels.copy(rows, y * (width * 3 + 1) + 1, y * width * 3, (y + 1) * width * 3);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
