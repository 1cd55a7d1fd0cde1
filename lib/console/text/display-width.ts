// Measures text in terminal columns and fits it to a width. East Asian letters and emoji take two columns.
import stringWidth from 'string-width';
import { graphemesOf, isPlain, PIECE, piecesOf } from './letters.js';

export function displayWidth(text: string): number {
  if (isPlain(text)) return text.length;
  let width = 0;
  for (const { piece } of piecesOf(text)) width += stringWidth(piece, { countAnsiEscapeCodes: true });
  return width;
}

/** The text in at most `width` columns, ending in an ellipsis if it was cut. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  return width < 1 ? '' : `${takeWidth(text, width - 1).trimEnd()}…`;
}

/** Keeps the start and the end, where names differ, with an ellipsis between them. */
export function cutMiddle(text: string, width: number): string {
  const total = displayWidth(text);
  if (total <= width) return text;
  const end = Math.floor((width - 1) / 2);
  return width < 3
    ? cutToWidth(text, width)
    : `${takeWidth(text, width - 1 - end)}…${dropWidth(text, total - end)}`;
}

/** Keeps the end, after an ellipsis. */
export function cutStart(text: string, width: number): string {
  const total = displayWidth(text);
  if (total <= width) return text;
  return width < 1 ? '' : `…${dropWidth(text, total - width + 1)}`;
}

/** The longest prefix that fits. */
export function takeWidth(text: string, width: number): string {
  if (isPlain(text)) return text.slice(0, Math.max(0, width));
  let room = width;
  let fitting = '';
  for (const { segment } of graphemesOf(text)) {
    room -= graphemeWidth(segment);
    if (room < 0) break;
    fitting += segment;
  }
  return fitting;
}

/** The longest suffix that fits. */
export function takeEnd(text: string, width: number): string {
  const from = text.length > PIECE ? graphemesOf(text).containing(text.length - PIECE)!.index : 0;
  const piece = text.slice(from);
  const letters = graphemesOf(piece);
  let room = width;
  for (let start = piece.length; start > 0; ) {
    const { segment, index } = letters.containing(start - 1)!;
    room -= graphemeWidth(segment);
    if (room < 0) return piece.slice(start);
    start = index;
  }
  return from === 0 ? piece : takeEnd(text.slice(0, from), room) + piece;
}

/** The text after the first `width` columns; a letter cut in half leaves spaces. */
export function dropWidth(text: string, width: number): string {
  const fitting = takeWidth(text, width);
  const rest = text.slice(fitting.length);
  const gap = width - displayWidth(fitting);
  if (gap <= 0 || rest === '') return rest;
  const cut = takeFirst(rest);
  return ' '.repeat(displayWidth(cut) - gap) + rest.slice(cut.length);
}

export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** The text in rows of at most `width` columns, broken between words where possible; at least one row. */
export function wrapToWidth(text: string, width: number): string[] {
  if (displayWidth(text) <= width) return [text];
  const rows: string[] = [];
  let row = '';
  let used = 0;
  const end = () => {
    rows.push(row.trimEnd());
    row = '';
    used = 0;
  };
  for (let word of text.split(/(?<=\s)(?=\S)/)) {
    if (used + displayWidth(word.trimEnd()) > width && row.trim() !== '') end();
    while (!fits(word.trimEnd(), width - used)) {
      const head = takeWidth(word, width - used) || (used === 0 ? takeFirst(word) : '');
      row += head;
      word = word.slice(head.length);
      end();
    }
    row += word;
    used += displayWidth(word);
  }
  return [...rows, row.trimEnd()];
}

/** The text in rows filled to the last column, as a terminal wraps lines; at least one row. */
export function breakToWidth(text: string, width: number): string[] {
  const rows: string[] = [];
  for (let rest = text; ; ) {
    const row = takeWidth(rest, width) || takeFirst(rest);
    rows.push(row);
    if (row === rest) return rows;
    rest = rest.slice(row.length);
  }
}

function fits(text: string, width: number): boolean {
  return takeWidth(text, width) === text;
}

/** Always takes at least one letter, so that a too narrow column does not cause an endless loop. */
function takeFirst(text: string): string {
  for (const { segment } of graphemesOf(text)) return segment;
  return text;
}

/** Hiragana, Katakana, Chinese characters and Hangul, known without measuring since a text may have many. */
const WIDE = /^[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]$/;

function graphemeWidth(grapheme: string): number {
  return WIDE.test(grapheme) ? 2 : stringWidth(grapheme, { countAnsiEscapeCodes: true });
}
