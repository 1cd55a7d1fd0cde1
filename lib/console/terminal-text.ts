// What a terminal would show of a stream of text, as plain lines: carriage returns write over the line, colours and
// other escape sequences are taken out. Sequences may be cut in two by the chunks in which the text arrives.

export interface TerminalText {
  /** The last one may be unfinished; empty while nothing came. */
  readonly lines: readonly string[];
  /** How many lines fell out at the beginning. */
  readonly dropped: number;
  /** Where in the last line the next character goes. */
  readonly column: number;
  /** The beginning of an escape sequence whose end has not come. */
  readonly rest: string;
}

/** A stretch of lines, under a key that stays the same while lines come and fall out. */
export interface TextBlock {
  readonly key: number;
  readonly text: string;
}

export const TERMINAL_LINES = 10_000;
export const emptyTerminal: TerminalText = { lines: [], dropped: 0, column: 0, rest: '' };

const BLOCK_LINES = 200;
const ESCAPE = '\u001b';
const BELL = '\u0007';
const BACKSPACE = '\b';
/** Longer than any that is meant: what has no end by then is dropped. */
const LONGEST_SEQUENCE = 4096;

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
  let line = lines.pop()!;
  let { column } = terminal;
  for (const [token] of text.slice(0, text.length - rest.length).matchAll(TOKEN)) {
    if (token === '\n') {
      lines.push(line);
      line = '';
      column = 0;
    } else if (token === '\r') column = 0;
    else if (token === BACKSPACE) column = Math.max(0, column - 1);
    else if (token.startsWith(ESCAPE)) ({ line, column } = obey(token, line, column));
    else if (!CONTROL.test(token)) {
      line = overwrite(line, column, token);
      column += token.length;
    }
  }
  lines.push(line);
  const surplus = Math.max(0, lines.length - TERMINAL_LINES);
  return {
    lines: surplus > 0 ? lines.slice(surplus) : lines,
    dropped: terminal.dropped + surplus,
    column,
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

/** Of all sequences only those count that change the line they are in: erase in line, and the cursor's column. */
function obey(sequence: string, line: string, column: number): { line: string; column: number } {
  const number = Number(sequence.slice(2, -1)) || 0;
  if (!sequence.startsWith(`${ESCAPE}[`)) return { line, column };
  if (sequence.endsWith('G')) return { line, column: Math.max(0, number - 1) };
  if (!sequence.endsWith('K')) return { line, column };
  if (number === 2) return { line: '', column };
  return { line: number === 1 ? overwrite(line, 0, ' '.repeat(column)) : line.slice(0, column), column };
}

function overwrite(line: string, column: number, text: string): string {
  if (column === line.length) return line + text;
  return line.slice(0, column).padEnd(column) + text + line.slice(column + text.length);
}
