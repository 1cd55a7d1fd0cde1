// Renders a stream of text to plain lines as a terminal would: carriage returns overwrite the line; colors and other
// escape sequences are removed. A sequence may be split across chunks.
import { displayWidth, dropWidth, padToWidth, takeWidth } from './display-width.js';

export interface TerminalText extends Cursor {
  /** The last line may be unfinished; empty before any text. */
  readonly lines: readonly string[];
  /** How many lines were dropped at the start. */
  readonly dropped: number;
  /** The start of an unfinished escape sequence. */
  readonly rest: string;
}

interface Cursor {
  /** Where the next character goes in the last line. */
  readonly column: number;
  /** Known to be at the end of the line, which then need not be measured. */
  readonly isAtEnd: boolean;
}

interface LastLine extends Cursor {
  readonly line: string;
}

/** A block of lines, with a key that is stable as lines are added and dropped. */
interface TextBlock {
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

const CONTROL = /^[^\t\P{Cc}]/u;

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

/** The lines in blocks. As text arrives only the last block changes, so little is redrawn. */
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

/** Only sequences that change their own line have an effect: erase in line, and cursor column. */
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

/** How much wider the line gets. Its last letter may continue in the new text. */
function addedWidth(line: string, text: string): number {
  const tail = line.slice(-LONGEST_LETTER);
  return displayWidth(tail + text) - displayWidth(tail);
}
