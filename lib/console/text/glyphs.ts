// The characters that a terminal is drawn with, and their ASCII replacements.
import type { JobStatus } from '../../contract/index.js';
import { displayWidth } from './display-width.js';

/**
 * A character for each combination of a line's arms: 1 for left, 2 for right, 4 for up, 8 for down, and their sums.
 */
type LineSigns = string;

type BorderPart = 'topLeft' | 'top' | 'topRight' | 'right' | 'bottomRight' | 'bottom' | 'bottomLeft' | 'left';

export interface Glyphs {
  /** Around a box. */
  readonly border: Readonly<Record<BorderPart, string>>;
  readonly vertical: string;
  readonly axis: string;
  readonly status: Readonly<Record<JobStatus, string>>;
  readonly on: string;
  readonly off: string;
  readonly prompt: string;
  readonly caret: string;
  readonly choice: readonly [left: string, right: string];
  readonly arrows: Readonly<Record<'up' | 'down' | 'left' | 'right', string>>;
  readonly solid: LineSigns;
  readonly dashed: LineSigns;
  readonly mark: string;
  readonly scoreMark: string;
  /** Of compared runs, by their places. */
  readonly runMarks: readonly string[];
  readonly cursor: string;
  /** From low to high, for a series in one row. */
  readonly spark: string;
  /** Lines of charts are drawn in braille. */
  readonly hasBraille: boolean;
  /** The done and the open part of a progress bar. */
  readonly bar: readonly [done: string, open: string];
}

export const unicodeGlyphs: Glyphs = {
  border: {
    topLeft: '╭',
    top: '─',
    topRight: '╮',
    right: '│',
    bottomRight: '╯',
    bottom: '─',
    bottomLeft: '╰',
    left: '│',
  },
  vertical: '│',
  axis: '┤',
  status: { queued: '○', running: '●', completed: '✓', failed: '✗', cancelled: '■' },
  on: '●',
  off: '○',
  prompt: '›',
  caret: '▍',
  choice: ['‹', '›'],
  arrows: { up: '↑', down: '↓', left: '←', right: '→' },
  solid: ' ╴╶─╵╯╰┴╷╮╭┬│┤├┼',
  dashed: ' ╌╌╌┆╯╰┴┆╮╭┬┆┤├┼',
  mark: '●',
  scoreMark: '◆',
  runMarks: ['●', '■', '▲', '◆', '✚', '▼'],
  cursor: '┊',
  spark: '▁▂▃▄▅▆▇█',
  hasBraille: true,
  bar: ['█', '░'],
};

export const asciiGlyphs: Glyphs = {
  border: {
    topLeft: '+',
    top: '-',
    topRight: '+',
    right: '|',
    bottomRight: '+',
    bottom: '-',
    bottomLeft: '+',
    left: '|',
  },
  vertical: '|',
  axis: '|',
  status: { queued: 'o', running: '*', completed: '+', failed: 'x', cancelled: '#' },
  on: '*',
  off: 'o',
  prompt: '>',
  caret: '_',
  choice: ['<', '>'],
  arrows: { up: 'Up', down: 'Down', left: 'Left', right: 'Right' },
  solid: " ---|''+|..+|+++",
  dashed: " ~~~:''+:..+:+++",
  mark: 'o',
  scoreMark: 'x',
  runMarks: ['o', '#', '^', 'x', '+', 'v'],
  cursor: ':',
  spark: '_.-=+*#',
  hasBraille: false,
  bar: ['#', '.'],
};

const ASCII_FOR: Readonly<Record<string, string>> = { '…': '.', '·': '-', '–': '-', '±': '~', '’': "'" };

const graphemes = new Intl.Segmenter('en');

/** The text for a terminal without UTF-8, in the same number of columns. */
export function toAscii(text: string): string {
  if (!/[^\n -~]/.test(text)) return text;
  return Array.from(graphemes.segment(text), ({ segment }) => toAsciiLetter(segment)).join('');
}

/** A letter with marks becomes the letter; other characters only keep their width. */
function toAsciiLetter(letter: string): string {
  if (/^[\n -~]$/.test(letter)) return letter;
  const width = displayWidth(letter);
  const base = /^[ -~]/.exec(letter)?.[0] ?? '';
  return ASCII_FOR[letter] ?? (base + '?'.repeat(width)).slice(0, width);
}
