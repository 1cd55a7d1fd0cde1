// JSON objects with facts from a text.
import type { Draw } from '../../draw.js';

/** A key and its JSON value. */
export type Pair = readonly [key: string, value: string];

/** How an object is laid out: `spaced` unless the prompt shows another layout. */
export type Layout = 'spaced' | 'compact' | 'lines';

export function toJson(pairs: readonly Pair[], layout: Layout): string {
  const colon = layout === 'compact' ? ':' : ': ';
  const members = pairs.map(([key, value]) => `${JSON.stringify(key)}${colon}${value}`);
  if (layout === 'lines') return `{\n  ${members.join(',\n  ')}\n}`;
  return `{${members.join(layout === 'compact' ? ',' : ', ')}}`;
}

/** Placeholders for strings in a sample. */
const BLANKS = ['"..."', '"..."', '"string"', '""', '"?"', '"<text>"', '"value"', '"___"', '"x"'];

interface Sample {
  keys: readonly string[];
  meanings: readonly string[] | undefined;
  numeric: readonly boolean[];
  layout: Layout;
}

/** An object whose values are blanks or the meanings of its keys. */
export function toShape(draw: Draw, { keys, meanings, numeric, layout }: Sample): string {
  const blank = draw.pick(BLANKS);
  const pairs = keys.map((key, i): Pair => {
    if (meanings) return [key, JSON.stringify(meanings[i])];
    return [key, numeric[i] ? '0' : blank];
  });
  return toJson(pairs, layout);
}

/** The number in an amount, if JSON would write it the same way. */
export const bareNumber = (value: string): string | undefined =>
  value.match(/^[^\d,.]*(\d+(?:\.\d+)?)[^\d,.]*$/)?.[1];

const KEY_JOINS: readonly ((list: readonly string[]) => string)[] = [
  list => list.join(', '),
  list => withAnd(list),
  list => withAnd(list),
  list => list.map(key => `"${key}"`).join(', '),
  list => withAnd(list.map(key => `"${key}"`)),
  list => list.map(key => `\`${key}\``).join(', '),
  list => `[${list.join(', ')}]`,
  list => list.map(key => `'${key}'`).join(', '),
  list => `(${list.join(', ')})`,
];

const withAnd = (list: readonly string[]) =>
  list.length < 2 ? list.join() : `${list.slice(0, -1).join(', ')} and ${list.at(-1)}`;

const EXPLAINED: readonly ((key: string, meaning: string) => string)[] = [
  (key, meaning) => `${key} (${meaning})`,
  (key, meaning) => `${key} = ${meaning}`,
  (key, meaning) => `"${key}" for the ${meaning}`,
  (key, meaning) => `${key}: ${meaning}`,
  (key, meaning) => `the ${meaning} as "${key}"`,
  (key, meaning) => `${meaning} -> ${key}`,
];

/** Keys in a sentence, explained if they do not explain themselves. */
export function nameKeys(
  draw: Draw,
  keys: readonly string[],
  meanings: readonly string[] | undefined,
): string {
  if (!meanings) return draw.pick(KEY_JOINS)(keys);
  const explain = draw.pick(EXPLAINED);
  return keys.map((key, i) => explain(key, meanings[i]!)).join(', ');
}

/** Keys on lines. */
export function listKeys(
  draw: Draw,
  keys: readonly string[],
  meanings: readonly string[] | undefined,
): string {
  const bullet = draw.pick(['- ', '* ', '', '• ']);
  const between = draw.pick([': ', ' = ', ' - ', ': the ']);
  return keys.map((key, i) => `${bullet}${key}${meanings ? between + meanings[i] : ''}`).join('\n');
}
