// What a terminal would show of a stream of text, as plain lines: carriage returns write over the line, colours and
// other escape sequences are taken out. Sequences may be cut in two by the chunks in which the text arrives.
import { displayWidth, dropWidth, padToWidth, takeWidth } from './display-width.js';

export interface TerminalText extends Cursor {
  /** The last one may be unfinished; empty while nothing came. */
  readonly lines: readonly string[];
  /** How many lines fell out at the beginning. */
  readonly dropped: number;
  /** The beginning of an escape sequence whose end has not come. */
  readonly rest: string;
}

interface Cursor {
  /** Where in the last line the next character goes. */
  readonly column: number;
  /** Known to be behind all of the line, which then need not be measured. */
  readonly isAtEnd: boolean;
}

interface LastLine extends Cursor {
  readonly line: string;
}

/** A stretch of lines, under a key that stays the same while lines come and fall out. */
export interface TextBlock {
  readonly key: number;
  readonly text: string;
}

export const TERMINAL_LINES = 10_000;
export const emptyTerminal: TerminalText = { lines: [], dropped: 0, column: 0, isAtEnd: true, rest: '' };
const EMPTY_LINE: LastLine = { line: '', column: 0, isAtEnd: true };

const BLOCK_LINES = 200;
const ESCAPE = '\u001b';
const BELL = '\u0007';
const BACKSPACE = '\b';
/** Longer than any that is meant: what has no end by then is dropped. */
const LONGEST_SEQUENCE = 4096;
/** In code units, with all its marks. */
const LONGEST_LETTER = 32;

// A control sequence, an operating system command, or another sequence; a line's control characters; plain text.
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

const CONTROL = /^[^\t\P{Cc}]/u;

/** The text with one more chunk printed on it. */
export function printText(terminal: TerminalText, chunk: string): TerminalText {
  const text = terminal.rest + chunk;
  const rest = UNFINISHED.exec(text)?.[0] ?? '';
  const lines = terminal.lines.length > 0 ? [...terminal.lines] : [''];
  let last: LastLine = { line: lines.pop()!, column: terminal.column, isAtEnd: terminal.isAtEnd };
  for (const [token] of text.slice(0, text.length - rest.length).matchAll(TOKEN)) {
    if (token === '\n') {
      lines.push(last.line);
      last = EMPTY_LINE;
    } else if (token === '\r') last = moveTo(0, last);
    else if (token === BACKSPACE) last = moveTo(last.column - 1, last);
    else if (token.startsWith(ESCAPE)) last = obey(token, last);
    else if (!CONTROL.test(token)) last = write(token, last);
  }
  const { line, ...cursor } = last;
  lines.push(line);
  const surplus = Math.max(0, lines.length - TERMINAL_LINES);
  return {
    lines: surplus > 0 ? lines.slice(surplus) : lines,
    dropped: terminal.dropped + surplus,
    ...cursor,
    rest: rest.length > LONGEST_SEQUENCE ? '' : rest,
  };
}

/** The lines in blocks, of which only the last changes while text comes, so that little is drawn again. */
export function textBlocks({ lines, dropped }: TerminalText): TextBlock[] {
  const blocks: TextBlock[] = [];
  for (let at = 0; at < lines.length; ) {
    const key = Math.floor((dropped + at) / BLOCK_LINES);
    const end = Math.min(lines.length, (key + 1) * BLOCK_LINES - dropped);
    const text = lines.slice(at, end).join('\n');
    blocks.push({ key, text: end < lines.length ? `${text}\n` : text });
    at = end;
  }
  return blocks;
}

function moveTo(column: number, { line }: LastLine): LastLine {
  return { line, column: Math.max(0, column), isAtEnd: false };
}

/** Of all sequences only those count that change the line they are in: erase in line, and the cursor's column. */
function obey(sequence: string, last: LastLine): LastLine {
  const { line, column } = last;
  const number = Number(sequence.slice(2, -1)) || 0;
  if (!sequence.startsWith(`${ESCAPE}[`)) return last;
  if (sequence.endsWith('G')) return moveTo(number - 1, last);
  if (!sequence.endsWith('K')) return last;
  if (number === 2) return moveTo(column, EMPTY_LINE);
  return number === 1
    ? write(' '.repeat(column), moveTo(0, last))
    : moveTo(column, { ...last, line: takeWidth(line, column) });
}

function write(text: string, { line, column, isAtEnd }: LastLine): LastLine {
  if (isAtEnd) return { line: line + text, column: column + addedWidth(line, text), isAtEnd };
  const written = padToWidth(takeWidth(line, column), column) + text;
  const end = displayWidth(written);
  const rest = dropWidth(line, end);
  return { line: written + rest, column: end, isAtEnd: rest === '' };
}

/** How much wider the line becomes: its last letter may go on in the text. */
function addedWidth(line: string, text: string): number {
  const tail = line.slice(-LONGEST_LETTER);
  return displayWidth(tail + text) - displayWidth(tail);
}
