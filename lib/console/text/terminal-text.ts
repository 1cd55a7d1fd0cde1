// Renders a stream of text to lines as a terminal would: carriage returns overwrite the line, and colors are styles; other
// escape sequences are removed. A sequence may be split across chunks.

import { displayWidth, dropWidth, takeWidth } from './display-width.js';
import type { RowPlace, RowSource } from './scroll.js';
import { type Span, type Style, type Tone, wrapWords } from './spans.js';
import { plainStyle, restyle, styleWords, type TextColor, type TextStyle } from './text-style.js';

export interface TerminalText extends Cursor {
  /** The last line may be unfinished; empty before any text. */
  readonly lines: readonly StyledLine[];
  /** How many lines were dropped at the start. */
  readonly dropped: number;
  /** The start of an unfinished escape sequence. */
  readonly rest: string;
  /** The style of the text that follows. */
  readonly style: TextStyle;
}

interface Cursor {
  /** The column of the next character in the last line. */
  readonly column: number;
  /** The cursor is known to be at the end of the line, so it need not be measured. */
  readonly isAtEnd: boolean;
}

interface LastLine extends Cursor {
  /** Grows as text is appended. */
  readonly line: StyledText[];
}

/** A block of lines, with a key that is stable as lines are added and dropped. */
interface TextBlock {
  readonly key: number;
  readonly lines: readonly StyledLine[];
  /** Whether a line follows the block. */
  readonly isEnded: boolean;
}

/** @internal */
export const TERMINAL_LINES = 10_000;
export const emptyTerminal: TerminalText = {
  lines: [],
  dropped: 0,
  column: 0,
  isAtEnd: true,
  rest: '',
  style: plainStyle,
};
const emptyLine = (): LastLine => ({ line: [], column: 0, isAtEnd: true });

export interface StyledText {
  readonly text: string;
  /** Style words, such as `bold red`; empty for plain text. */
  readonly style: string;
}

type StyledLine = readonly StyledText[];

interface OutputRows extends RowSource {
  row(place: RowPlace): Span[];
}

const BLOCK_LINES = 200;
const ESCAPE = '\u001b';
const BELL = '\u0007';
const BACKSPACE = '\b';
/** Longer than any real sequence; an unfinished one beyond this is dropped. */
const LONGEST_SEQUENCE = 4096;
/** In code units, including its marks. */
const LONGEST_LETTER = 32;

// A CSI sequence, an OS command or another escape sequence; plain text; any other character.
const TOKEN = new RegExp(
  [
    `${ESCAPE}\\[[0-?]*[ -/]*[@-~]`,
    `${ESCAPE}[\\]PX^_][^${BELL}${ESCAPE}\\n]*(?:${BELL}|${ESCAPE}\\\\)`,
    `${ESCAPE}[ -/]*[0-~]`,
    '[^\\u0000-\\u0008\\u000a-\\u001f\\u007f-\\u009f]+',
    '[\\s\\S]',
  ].join('|'),
  'g',
);
const UNFINISHED = new RegExp(
  `${ESCAPE}(?:\\[[0-?]*[ -/]*|[\\]PX^_][^${BELL}${ESCAPE}\\n]*${ESCAPE}?|[ -/]*)?$`,
);

const STYLING = new RegExp(`^${ESCAPE}\\[([\\d;:]*)m$`);
const CONTROL = /^[^\t\P{Cc}]/u;

/** Whether the text is a beginning of what is shown, as far as its last whole line says: output that is sent once more. */
export function isBeginningOf(shown: TerminalText, { lines }: TerminalText): boolean {
  const same = shown.lines[lines.length - 2];
  return lines.length < shown.lines.length && (!same || lineText(same) === lineText(lines.at(-2)!));
}

export function printText(terminal: TerminalText, chunk: string): TerminalText {
  const text = terminal.rest + chunk;
  const rest = UNFINISHED.exec(text)?.[0] ?? '';
  const lines = [...terminal.lines];
  let last: LastLine = { line: [...(lines.pop() ?? [])], column: terminal.column, isAtEnd: terminal.isAtEnd };
  let { style } = terminal;
  let words = styleWords(style);
  for (const [token] of text.slice(0, text.length - rest.length).matchAll(TOKEN)) {
    if (token === '\n') {
      lines.push(last.line);
      last = emptyLine();
    } else if (token === '\r') last = moveTo(0, last);
    else if (token === BACKSPACE) last = moveTo(last.column - 1, last);
    else if (STYLING.test(token)) {
      style = restyle(style, STYLING.exec(token)![1]!);
      words = styleWords(style);
    } else if (token.startsWith(ESCAPE)) last = obey(token, last);
    else if (!CONTROL.test(token)) last = write({ text: token, style: words }, last);
  }
  const { line, ...cursor } = last;
  lines.push(line);
  const surplus = Math.max(0, lines.length - TERMINAL_LINES);
  return {
    lines: surplus > 0 ? lines.slice(surplus) : lines,
    dropped: terminal.dropped + surplus,
    ...cursor,
    rest: rest.length > LONGEST_SEQUENCE ? '' : rest,
    style,
  };
}

/** The lines in blocks. As text arrives only the last block changes, so little is redrawn. */
export function textBlocks({ lines, dropped }: TerminalText): TextBlock[] {
  const blocks: TextBlock[] = [];
  for (let at = 0; at < lines.length; ) {
    const key = Math.floor((dropped + at) / BLOCK_LINES);
    const end = Math.min(lines.length, (key + 1) * BLOCK_LINES - dropped);
    blocks.push({ key, lines: lines.slice(at, end), isEnded: end < lines.length });
    at = end;
  }
  return blocks;
}

/** The text of a block in as few parts as its styles allow. */
export function textRuns({ lines, isEnded }: TextBlock): StyledText[] {
  const runs: StyledText[] = [];
  for (const [index, line] of lines.entries()) {
    for (const { text, style } of line) addText(runs, text, style);
    if (isEnded || index < lines.length - 1) addText(runs, '\n', '');
  }
  return runs;
}

/** A program's output as rows of a given width, in its own colors. */
export function outputRows({ lines, dropped }: TerminalText, width: number): OutputRows {
  // A trailing line feed starts a line that is still empty.
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

/** Converts style words; unknown ones are ignored. */
function toStyle(words: string): Style {
  const style: Record<string, unknown> = {};
  for (const word of words.split(' ')) {
    if (word in TONES) style.tone = TONES[word as TextColor];
    else if (word !== '') style[word] = true;
  }
  return style;
}

function moveTo(column: number, { line }: LastLine): LastLine {
  return { line, column: Math.max(0, column), isAtEnd: false };
}

/** Only sequences that affect their own line are applied: erase in line, and cursor column. */
function obey(sequence: string, last: LastLine): LastLine {
  const { line, column } = last;
  const number = Number(sequence.slice(2, -1)) || 0;
  if (!sequence.startsWith(`${ESCAPE}[`)) return last;
  if (sequence.endsWith('G')) return moveTo(number - 1, last);
  if (!sequence.endsWith('K')) return last;
  if (number === 2) return moveTo(column, emptyLine());
  return number === 1
    ? write({ text: ' '.repeat(column), style: '' }, moveTo(0, last))
    : moveTo(column, { ...last, line: takeColumns(line, column) });
}

function write({ text, style }: StyledText, { line, column, isAtEnd }: LastLine): LastLine {
  if (isAtEnd) {
    const added = addedWidth(line, text);
    addText(line, text, style);
    return { line, column: column + added, isAtEnd };
  }
  const written = takeColumns(line, column);
  addText(written, ' '.repeat(Math.max(0, column - styledWidth(written))), '');
  addText(written, text, style);
  const end = styledWidth(written);
  const rest = dropColumns(line, end);
  for (const part of rest) addText(written, part.text, part.style);
  return { line: written, column: end, isAtEnd: rest.length === 0 };
}

/** How much wider the line gets. Its last grapheme may continue in the new text. */
function addedWidth(line: StyledLine, text: string): number {
  const tail = lineText(line.slice(-1)).slice(-LONGEST_LETTER);
  return displayWidth(tail + text) - displayWidth(tail);
}

/** @internal */
export function lineText(line: StyledLine): string {
  return line.map(({ text }) => text).join('');
}

/** Appends to a line under construction. */
function addText(line: StyledText[], text: string, style: string): void {
  const last = line.at(-1);
  if (text === '') return;
  if (last?.style === style) line[line.length - 1] = { text: last.text + text, style };
  else line.push({ text, style });
}

function styledWidth(line: StyledLine): number {
  return line.reduce((sum, { text }) => sum + displayWidth(text), 0);
}

/** The longest prefix of the line that fits. */
function takeColumns(line: StyledLine, width: number): StyledText[] {
  const taken: StyledText[] = [];
  let room = width;
  for (const { text, style } of line) {
    const columns = displayWidth(text);
    addText(taken, columns <= room ? text : takeWidth(text, room), style);
    if (columns > room) break;
    room -= columns;
  }
  return taken;
}

/** The line after the first `width` columns; a letter cut in half leaves spaces. */
function dropColumns(line: StyledLine, width: number): StyledText[] {
  const left: StyledText[] = [];
  let skip = width;
  for (const { text, style } of line) {
    const columns = skip > 0 ? displayWidth(text) : 0;
    if (columns <= skip && skip > 0) skip -= columns;
    else {
      addText(left, skip > 0 ? dropWidth(text, skip) : text, style);
      skip = 0;
    }
  }
  return left;
}
