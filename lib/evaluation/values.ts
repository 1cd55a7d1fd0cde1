// Reads answers as JSON and compares them as values: the order of keys, white space and how a number is written do not count.
import { normalizeText } from './texts.js';

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
