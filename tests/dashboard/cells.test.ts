import { expect, it } from 'vitest';
import { cellChanges } from '../../cli/dashboard/cells/cell-changes.js';
import { blankCells, type Cells, putSign } from '../../cli/dashboard/cells/cells.js';
import { BOLD, INVERSE, styleChange, styleCode } from '../../cli/dashboard/cells/style-code.js';
import { layLines } from '../../cli/dashboard/drawing/lay-lines.js';
import { type Line, span } from '../../cli/dashboard/drawing/line.js';
import { unicodeGlyphs } from '../../cli/dashboard/terminal/glyphs.js';
import { createEmulator } from '../terminal/support/emulator.js';
import { cellsOf } from './support/cells-of.js';

const changes = (before: string, after: string, columns = 20) =>
  cellChanges(cellsOf(columns, 1, before), cellsOf(columns, 1, after)).replaceAll('\u001b', '␛');

it('writes only the cells that differ, and rewrites a short gap between them', () => {
  expect(changes('step=1234 loss=0.5678', 'step=1235 loss=0.5679', 30)).toBe('␛[1;9H5␛[21G9');
  expect(changes('step 1 of 9', 'step 2 in 9')).toBe('␛[1;6H2 in');
  expect(changes('same', 'same')).toBe('');
});

it('clears what is left of a longer row, a few cells by blanks', () => {
  expect(changes('a long row', 'a')).toBe('␛[1;3H␛[K');
  expect(changes('abc', 'a')).toBe('␛[1;2H  ');
  expect(changes('0123456789', '012345678', 10)).toBe('␛[1;10H ');
});

it('clears a long stretch within a row', () => {
  expect(changes('| a long text |', '| a         z |')).toBe('␛[1;5H        z');
  expect(changes('| a longer text |', '|             z |')).toBe('␛[1;3H␛[12X␛[15Gz');
});

it('never trusts the terminal with where a row ends', () => {
  const before = cellsOf(4, 2, 'abcd', 'abcd');
  expect(cellChanges(before, cellsOf(4, 2, 'abcX', 'Xbcd')).replaceAll('\u001b', '␛')).toBe('␛[1;4HX␛[2;1HX');
});

it('places what follows an emoji by itself, since terminals disagree on its width, and clears below it', () => {
  expect(changes('a.. b', 'a🙂 b')).toBe('␛[1;2H␛[2X🙂␛[4G ');
  expect(changes('a.. b', 'a翻 b')).toBe('␛[1;2H翻');
});

it('starts over where the size is another', () => {
  expect(cellChanges(cellsOf(9, 1, 'one'), cellsOf(8, 1, 'one'))).toBe('\u001b[0m\u001b[2J\u001b[1;1Hone');
});

it('changes styles by the shortest way, and ends in the usual one', () => {
  const bold = styleCode(BOLD);
  const boldRed = styleCode(BOLD, 31);
  expect(styleChange(0, boldRed)).toBe('\u001b[1;31m');
  expect(styleChange(bold, boldRed)).toBe('\u001b[31m');
  expect(styleChange(boldRed, bold)).toBe('\u001b[39m');
  expect(styleChange(boldRed, styleCode(INVERSE))).toBe('\u001b[0;7m');
  expect(styleChange(boldRed, 0)).toBe('\u001b[m');
  const before = blankCells(9, 1);
  const after = blankCells(9, 1);
  putSign(after, 0, 0, { sign: 'x', width: 1, style: bold });
  expect(cellChanges(before, after)).toBe('\u001b[1;1H\u001b[1mx\u001b[m');
});

it('turns any screen into any other, as a terminal shows them', async () => {
  const size = { columns: 24, rows: 6 };
  const emulator = createEmulator(size);
  emulator.write('\u001b[?7l');
  const random = createRandom();
  let before: Cells | null = null;
  for (let round = 0; round < 200; round++) {
    const after = layLines(randomLines(random, size.rows), size, look);
    emulator.write(cellChanges(before, after));
    await emulator.drawn();
    expect(emulator.lines(), `round ${round}`).toEqual(linesOf(after));
    expect(
      emulator.cells().map(row => row.map(({ isBold, isInverse, color }) => [isBold, isInverse, color])),
    ).toEqual(stylesOf(after));
    before = after;
  }
});

const look = { isColored: true, isUnicode: true, glyphs: unicodeGlyphs };
const WORDS = ['loss', '翻訳', '⣿⡇', 'é', ' ', '      ', 'e\u0301', '0.1234', '─┤', '한'];
const STYLES = [
  {},
  { bold: true },
  { tone: 'failed' },
  { tone: 'training', inverse: true },
  { inverse: true },
] as const;

type Random = (below: number) => number;

/** The same numbers every time. */
function createRandom(): Random {
  let state = 12345;
  return below => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

function randomLines(random: Random, rows: number): Line[] {
  return Array.from({ length: random(rows + 1) }, () =>
    Array.from({ length: random(8) }, () =>
      span(WORDS[random(WORDS.length)]!, STYLES[random(STYLES.length)]),
    ),
  );
}

function linesOf({ columns, rows, signs }: Cells): string[] {
  return Array.from({ length: rows }, (_, row) =>
    signs
      .slice(row * columns, (row + 1) * columns)
      .join('')
      .trimEnd(),
  );
}

function stylesOf({ columns, rows, signs, styles }: Cells) {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => row * columns + column)
      .filter(index => signs[index] !== '')
      .map(index => {
        const code = styles[index]!;
        const color = code >> 4;
        return [(code & BOLD) !== 0, (code & INVERSE) !== 0, color === 0 ? null : color - 30];
      }),
  );
}
