// A one-line text and its cursor, which never cuts a character in two.
import { toSafeLine } from './safe-text.js';

const graphemes = new Intl.Segmenter('en');
const lettersOf = (text: string) => Array.from(graphemes.segment(text), ({ segment }) => segment);

/** The text around a cursor that is so many code units before its end: it stays there while the text before it grows. */
export function splitAtCursor(text: string, behind: number) {
  const at = Math.max(0, text.length - behind);
  const before = text.slice(0, at);
  const after = text.slice(at);
  const atCursor = lettersOf(after)[0] ?? '';
  return {
    before,
    atCursor,
    after,
    rest: after.slice(atCursor.length),
    last: lettersOf(before).at(-1) ?? '',
  };
}

/** Without what no key types, such as the half of a surrogate pair left by deleting the other half. */
export function toTyped(text: string): string {
  return toSafeLine(text.replace(/\p{Cs}/gu, ''));
}
