// A program's output as rows of a given width, in its own colors.
import type { RowPlace, RowSource } from './follow-scroll.js';
import { type Span, type Style, type Tone, wrapWords } from './spans.js';
import type { TerminalText } from './terminal-text.js';
import type { TextColor } from './text-style.js';

interface OutputRows extends RowSource {
  row(place: RowPlace): Span[];
}

export function outputRows({ lines, dropped }: TerminalText, width: number): OutputRows {
  // A final line feed starts a line that is still empty.
  const count = lines.at(-1)?.length === 0 ? lines.length - 1 : lines.length;
  const rowsOf = (item: number) =>
    wrapWords(
      (lines[item - dropped] ?? []).map(({ text, style }) => ({ text, style: toStyle(style) })),
      width,
    );
  return {
    first: dropped,
    end: dropped + count,
    rowsOf: item => rowsOf(item).length,
    row: ({ item, row }) => rowsOf(item)[row] ?? [],
  };
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

/** Of the words for a style; those that mean nothing here have no effect. */
function toStyle(words: string): Style {
  const style: Record<string, unknown> = {};
  for (const word of words.split(' ')) {
    if (word in TONES) style.tone = TONES[word as TextColor];
    else if (word !== '') style[word] = true;
  }
  return style;
}
