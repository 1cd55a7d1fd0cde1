// The characters that the terminal UI draws with, and their ASCII replacements.
import type { JobStatus } from '../../contract/index.js';
import { displayWidth } from './display-width.js';
import { graphemesOf } from './letters.js';

/**
 * A character for each combination of a line's arms: 1 for left, 2 for right, 4 for up, 8 for down, and their sums.
 */
type LineSigns = string;

type BorderPart = 'topLeft' | 'top' | 'topRight' | 'right' | 'bottomRight' | 'bottom' | 'bottomLeft' | 'left';

export interface Glyphs {
  /** The characters of a box's border. */
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
  /** The marks of compared runs, by place. */
  readonly runMarks: readonly string[];
  readonly cursor: string;
  /** Sparkline characters, from low to high. */
  readonly spark: string;
  /** Draws chart lines in braille. */
  readonly hasBraille: boolean;
  /** The characters for the done and remaining parts of a progress bar. */
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

const ASCII_FOR: Readonly<Record<string, string>> = {
  '…': '.',
  '·': '-',
  '–': '-',
  '−': '-',
  '±': '~',
  '→': '>',
  '←': '<',
  '›': '>',
  '‹': '<',
  '’': "'",
  '“': '"',
  '”': '"',
  '⏎': '|',
  '⇥': '>',
};

/** An ASCII version of the text, with the same width, for a terminal without UTF-8. */
export function toAscii(text: string): string {
  if (!/[^\n -~]/.test(text)) return text;
  return Array.from(graphemesOf(text), ({ segment }) => toAsciiLetter(segment)).join('');
}

/** Letters with diacritics lose them; other characters only keep their width. */
function toAsciiLetter(letter: string): string {
  if (/^[\n -~]$/.test(letter)) return letter;
  const width = displayWidth(letter);
  const base = /^[ -~]/.exec(letter)?.[0] ?? '';
  return ASCII_FOR[letter] ?? (base + '?'.repeat(width)).slice(0, width);
}
