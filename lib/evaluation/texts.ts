// Compares answers: as texts, equal after normalization or by the words that they share, or as JSON values.

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

/** An answer as JSON. The order of keys, white space and how a number is written do not count. */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [name: string]: Value };

/** Undefined if the text is not JSON. A fence of three backticks around it is ignored. */
export function readValue(text: string): Value | undefined {
  const unfenced = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/.exec(text)?.[1] ?? text;
  try {
    return JSON.parse(unfenced) as Value;
  } catch {
    return undefined;
  }
}

/** The same text for equal values. */
export function writeCanonically(value: Value | undefined): string {
  if (typeof value === 'string') return JSON.stringify(normalizeText(value));
  if (Array.isArray(value)) return `[${value.map(writeCanonically).join(',')}]`;
  if (!isRecord(value)) return String(JSON.stringify(value));
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([name, part]) => `${JSON.stringify(name)}:${writeCanonically(part)}`).join(',')}}`;
}

export function isRecord(value: unknown): value is { readonly [name: string]: Value } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every value in it with its path. Items of a list have the same path, so that their order does not count. */
export function listPairs(value: Value | undefined, path = ''): string[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap(item => (isRecord(item) ? listPairs(item, `${path}[]`) : pair(`${path}[]`, item)));
  if (isRecord(value) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([name, part]) => listPairs(part, `${path}.${name}`));
  return pair(path, value);
}

function pair(path: string, value: Value): string[] {
  return [`${path}=${writeCanonically(value)}`];
}
