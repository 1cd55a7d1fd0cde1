// Texts without half of a character, that is, half of one of UTF-16's pairs: for one, strict clients refuse a whole message.

export const startOf = (text: string, length: number) => text.slice(0, length).replace(/\p{Cs}$/u, '');

export const endOf = (text: string, length: number) => text.slice(-length).replace(/^\p{Cs}/u, '');

/** A value of JSON. What people and models wrote may have halves of its own. */
export function toWhole(value: unknown): unknown {
  if (typeof value === 'string') return wholeText(value);
  if (Array.isArray(value)) return value.map(toWhole);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [wholeText(name), toWhole(part)]));
}

const wholeText = (text: string) => text.replace(/\p{Cs}/gu, '\ufffd');
