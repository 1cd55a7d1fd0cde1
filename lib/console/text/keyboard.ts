// Keyboard input in the terminal: text editing at a cursor, which never splits a character; command lines;
// and the help for keys.

import { toSafeLine } from '../safe-text.js';
import { displayWidth } from './display-width.js';
import { graphemesOf } from './letters.js';
import { paragraphRows, type Span } from './spans.js';

/**
 * Splits the text at a cursor that is this many code units before its end, so that it stays in place while
 * text is inserted before it.
 */
export function splitAtCursor(text: string, behind: number) {
  const at = Math.max(0, text.length - behind);
  const before = text.slice(0, at);
  const after = text.slice(at);
  const atCursor = graphemesOf(after).containing()?.segment ?? '';
  return {
    before,
    atCursor,
    after,
    rest: after.slice(atCursor.length),
    last: graphemesOf(before).containing(at - 1)?.segment ?? '',
  };
}

const WORD = /[\p{L}\p{N}_]/u;

/** The last word of the text, with what follows it. */
export function lastWord(text: string): string {
  let start = 0;
  let wasWord = false;
  for (const { segment, index } of graphemesOf(text)) {
    const isWord = WORD.test(segment);
    if (isWord && !wasWord) start = index;
    wasWord = isWord;
  }
  return text.slice(start);
}

/** The first word of the text, with what comes before it. */
export function firstWord(text: string): string {
  let wasWord = false;
  for (const { segment, index } of graphemesOf(text)) {
    const isWord = WORD.test(segment);
    if (wasWord && !isWord) return text.slice(0, index);
    wasWord = isWord;
  }
  return text;
}

/** What stands for line breaks and tabs in a field of one line. */
const LINE_BREAK = '⏎';
const LINE_BREAKS = /\r\n?|\n/g;
const TAB = '⇥';

export const toFieldLine = (text: string): string =>
  toSafeLine(text.replace(LINE_BREAKS, LINE_BREAK).replaceAll('\t', TAB));

/** The text of a field, with line breaks and tabs if there were any before. */
export function toFieldText(line: string, before: string): string {
  const broken = before.search(LINE_BREAKS) < 0 ? line : line.replaceAll(LINE_BREAK, '\n');
  return before.includes('\t') ? broken.replaceAll(TAB, '\t') : broken;
}

/** Why editing a text in a field would change more of it than what is typed; null if it would not. */
export function fieldProblem(text: string): string | null {
  return toFieldText(toFieldLine(text), text) === text.replace(LINE_BREAKS, '\n')
    ? null
    : 'This text has characters that would be lost here. Edit it in Studio.';
}

/** Removes what no key can type, such as the half of a surrogate pair left after deleting the other half. */
export function toTyped(text: string): string {
  return toSafeLine(text.replace(/\p{Cs}/gu, ''));
}

type Split = { readonly args: readonly string[] } | { readonly problem: string };

/** Commands that take over the terminal. */
const TAKING = new Set(['dev', 'watch']);

/**
 * Splits a command line into arguments, with a shell's quotes and backslashes, but without variables, pipes
 * or globs.
 */
export function splitCommandLine(text: string): Split {
  const args: string[] = [];
  let word: string | null = null;
  for (let index = 0; index < text.length; index++) {
    const sign = text[index]!;
    if (/\s/.test(sign)) {
      if (word !== null) args.push(word);
      word = null;
    } else if (sign === "'" || sign === '"') {
      const quoted = readQuoted(text, index);
      if (!quoted) return { problem: `Missing closing ${sign}.` };
      word = (word ?? '') + quoted.text;
      index = quoted.end;
    } else if (sign === '\\' && index + 1 < text.length) word = (word ?? '') + text[++index]!;
    else word = (word ?? '') + sign;
  }
  if (word !== null) args.push(word);
  return { args: args[0] === 'svc' ? args.slice(1) : args };
}

/** Why the dashboard cannot run a command; null if it can. */
export function commandProblem([command]: readonly string[]): string | null {
  return TAKING.has(command ?? '') ? `svc ${command} needs its own terminal. Run it in another one.` : null;
}

/**
 * In double quotes, a backslash escapes a double quote or a backslash; in single quotes, nothing is escaped.
 */
function readQuoted(text: string, start: number): { text: string; end: number } | null {
  const quote = text[start]!;
  let read = '';
  for (let index = start + 1; index < text.length; index++) {
    const sign = text[index]!;
    if (sign === quote) return { text: read, end: index };
    const isEscape = quote === '"' && sign === '\\' && /["\\]/.test(text[index + 1] ?? '');
    read += isEscape ? text[++index]! : sign;
  }
  return null;
}

export interface HelpGroup {
  readonly title: string;
  readonly entries: readonly (readonly [keys: string, does: string])[];
}

const KEYS = 18;
const TWO_COLUMNS = 116;

/** The keys as rows, grouped by scope, in two columns if there is room. */
export function helpColumns(groups: readonly HelpGroup[], width: number): Span[][][] {
  const isWide = width >= TWO_COLUMNS;
  const rows = groups.map(({ title, entries }) => [
    [{ text: title, style: { bold: true } }],
    ...entries.flatMap(entry => entryRows(entry, isWide ? Math.floor(width / 2) : width)),
    [{ text: ' ' }],
  ]);
  if (!isWide) return [rows.flat()];
  const total = rows.flat().length;
  const columns: [Span[][], Span[][]] = [[], []];
  for (const group of rows) columns[columns[0].length < total / 2 ? 0 : 1].push(...group);
  return columns;
}

/** Text that does not fit next to its keys goes below them. */
function entryRows([keys, does]: HelpGroup['entries'][number], width: number): Span[][] {
  const pressed: Span = { text: `  ${keys}`.padEnd(KEYS), style: { tone: 'accent' } };
  if (displayWidth(pressed.text) + displayWidth(does) < width) return [[pressed, { text: ` ${does}` }]];
  return [[pressed], ...paragraphRows(does, width - 4).map(row => [{ text: `    ${row}` }])];
}
