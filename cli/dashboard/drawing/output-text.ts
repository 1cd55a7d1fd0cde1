// A program's output as rows of a given width, in its own colors.
import type { RowPlace, RowSource, StyledLine, TerminalText, TextColor } from '../../../lib/console/index.js';
import type { Line, Style, Tone } from './line.js';
import { wrapWords } from './wrap-spans.js';

export function outputSource({ lines, dropped }: TerminalText, width: number): RowSource {
  // A final line feed starts a line that is still empty.
  const count = lines.at(-1)?.length === 0 ? lines.length - 1 : lines.length;
  return {
    first: dropped,
    end: dropped + count,
    rowsOf: item => toRows(lines[item - dropped], width).length,
  };
}

export function outputLines(
  { lines, dropped }: TerminalText,
  places: readonly RowPlace[],
  width: number,
): Line[] {
  return places.map(({ item, row }) => toRows(lines[item - dropped], width)[row] ?? []);
}

function toRows(line: StyledLine = [], width: number): Line[] {
  return wrapWords(
    line.map(({ text, style }) => ({ text, style: toStyle(style) })),
    width,
  );
}

const TONES: Readonly<Record<TextColor, Tone>> = {
  red: 'failed',
  green: 'completed',
  yellow: 'warning',
  blue: 'accent',
  magenta: 'evaluation',
  cyan: 'training',
  gray: 'queued',
};

/** A terminal's words for a style; what a cell cannot show is left out. */
function toStyle(words: string): Style {
  const style: Record<string, unknown> = {};
  for (const word of words.split(' ')) {
    if (word in TONES) style.tone = TONES[word as TextColor];
    else style[word] = true;
  }
  return style;
}
