// Compares answers as texts: equal after normalization, or by the words that they share.

/** Without differences that nobody sees: Unicode forms, white space around and between words. */
export function normalizeText(text: string): string {
  return text.normalize('NFC').trim().replace(/\s+/gu, ' ');
}

/** Scripts written without spaces are compared by character. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[\p{L}\p{N}\p{M}]+/gu;

/** Words in lowercase, without punctuation; a text of nothing but punctuation counts as one word. */
export function wordsOf(text: string): string[] {
  const normalized = normalizeText(text).toLowerCase();
  return normalized.match(WORD) ?? (normalized === '' ? [] : [normalized]);
}

/** The F1 of the words of an answer, however they are ordered: 1 if they are the same, 0 if none is shared. */
export function wordF1(expected: string, answer: string): number {
  return listF1(wordsOf(expected), wordsOf(answer));
}

/** The F1 of two lists as multisets. Two empty ones are equal. */
export function listF1(expected: readonly string[], answered: readonly string[]): number {
  if (expected.length + answered.length === 0) return 1;
  return (2 * countShared(expected, answered)) / (expected.length + answered.length);
}

/** How many items two lists share as multisets. */
export function countShared(expected: readonly string[], answered: readonly string[]): number {
  const left = new Map<string, number>();
  for (const item of expected) left.set(item, (left.get(item) ?? 0) + 1);
  let shared = 0;
  for (const item of answered) {
    const count = left.get(item) ?? 0;
    if (count > 0) shared++;
    left.set(item, count - 1);
  }
  return shared;
}
