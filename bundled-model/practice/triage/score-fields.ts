// How many fields of a ticket are right, whatever their names and format.

/** The share of right values; extra values count as wrong. */
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

/** The text after a colon or an equals sign, or else between commas and similar signs. */
function readValues(text: string): string[] {
  const pairs = Array.from(text.matchAll(PAIR), match => match[1]!);
  const values = pairs.length > 0 ? pairs : text.split(/[,;|\n]/);
  return values.map(toPlainValue);
}

/** In lower case and without quotes. All ways to say "none" count as the same. */
function toPlainValue(value: string): string {
  const plain = value
    .trim()
    .replace(/^[\s"'[{(]+|[\s"'\]}).]+$/g, '')
    .toLowerCase();
  return ['', '-', 'null', 'none', 'n/a', 'unknown', 'undefined'].includes(plain) ? '-' : plain;
}
