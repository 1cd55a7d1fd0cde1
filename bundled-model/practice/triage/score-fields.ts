// The fields of a ticket that are right, whatever they are called and however they are written down.

/** The share of right values; what is there beyond them counts as wrong. */
export function scoreFields(expected: string, answered: string): number {
  const right = readValues(expected);
  const given = readValues(answered);
  const left = [...given];
  const found = right.filter(value => {
    const at = left.indexOf(value);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return found.length / Math.max(right.length, given.length);
}

const PAIR = /["'\w-]+\s*[:=]\s*("[^"]*"|'[^']*'|[^\s,;{}[\]]+)/g;

/** What stands behind a colon or an equals sign, or else between commas and the like. */
function readValues(text: string): string[] {
  const pairs = Array.from(text.matchAll(PAIR), match => match[1]!);
  const values = pairs.length > 0 ? pairs : text.split(/[,;|\n]/);
  return values.map(toPlainValue);
}

/** In lower case and without its quotes; all ways to say that there is none are one. */
function toPlainValue(value: string): string {
  const plain = value
    .trim()
    .replace(/^[\s"'[{(]+|[\s"'\]}).]+$/g, '')
    .toLowerCase();
  return ['', '-', 'null', 'none', 'n/a', 'unknown', 'undefined'].includes(plain) ? '-' : plain;
}
