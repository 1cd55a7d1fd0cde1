// The filters that take lists, dicts and whatever else a loop can go through.
import { itemsOf, readPath } from './attributes.js';
import { defineAll } from './functions.js';
import { add, compare, equals, requireHashable } from './operators.js';
import { toText } from './text.js';
import {
  type Callable,
  Generator,
  isTrue,
  iterate,
  lengthOf,
  orUndefined,
  requireFew,
  requireInteger,
  Tuple,
  typeOf,
  Undefined,
  type Value,
} from './values.js';

const ignoreCase = (value: Value): Value => (typeof value === 'string' ? value.toLowerCase() : value);

/** What a filter compares of an item. */
function keyReader(isCaseSensitive: Value, path: Value, otherwise: Value = null): (item: Value) => Value {
  const read = readPath(path, otherwise);
  return isTrue(isCaseSensitive) ? read : item => ignoreCase(read(item));
}

function sortBy(items: readonly Value[], keyOf: (item: Value) => Value, isReversed: Value): Value[] {
  const sign = isTrue(isReversed) ? -1 : 1;
  return items
    .map(item => ({ item, key: keyOf(item) }))
    .sort((a, b) => sign * (equals(a.key, b.key) ? 0 : compare(a.key, b.key)))
    .map(({ item }) => item);
}

function sort(value: Value, isReversed: Value, isCaseSensitive: Value, path: Value): Value {
  const paths = typeof path === 'string' ? path.split(',') : [path];
  const readers = paths.map(each => keyReader(isCaseSensitive, each));
  return sortBy(iterate(value), item => readers.map(read => read(item)), isReversed);
}

function sortDict(value: Value, isCaseSensitive: Value, by: Value, isReversed: Value): Value {
  if (by !== 'key' && by !== 'value') throw new Error('You can only sort by either "key" or "value"');
  if (value instanceof Undefined) throw new Error(value.reason);
  if (!(value instanceof Map)) throw new Error(`'${typeOf(value)}' object has no attribute 'items'`);
  const read = keyReader(isCaseSensitive, by === 'key' ? 0 : 1);
  return sortBy(itemsOf(value), read, isReversed);
}

function groupBy(value: Value, path: Value, otherwise: Value, isCaseSensitive: Value): Value {
  const keyOf = keyReader(isCaseSensitive, path, otherwise);
  const groups: { key: Value; items: Value[] }[] = [];
  for (const item of sortBy(iterate(value), keyOf, false)) {
    const key = keyOf(item);
    const last = groups.at(-1);
    if (last && equals(last.key, key)) last.items.push(item);
    else groups.push({ key, items: [item] });
  }
  const read = readPath(path, otherwise);
  return groups.map(({ items }) => new Tuple([read(items[0]!), items], ['grouper', 'list']));
}

function unique(value: Value, isCaseSensitive: Value, path: Value): Value {
  const keyOf = keyReader(isCaseSensitive, path);
  const seen: Value[] = [];
  const items = iterate(value).filter(item => {
    const key = keyOf(item);
    requireHashable(key);
    return !seen.some(other => equals(other, key)) && seen.push(key);
  });
  return new Generator(items);
}

function best(
  value: Value,
  isBetter: (order: number) => boolean,
  isCaseSensitive: Value,
  path: Value,
): Value {
  const keyOf = keyReader(isCaseSensitive, path);
  const [first, ...others] = iterate(value);
  if (first === undefined) return new Undefined('No aggregated item, sequence was empty.');
  return others.reduce((found, item) => (isBetter(compare(keyOf(item), keyOf(found))) ? item : found), first);
}

function batch(value: Value, size: number, filling: Value): Value {
  const items = iterate(value);
  const batches: Value[][] = [];
  for (let at = 0; at < items.length; at += size) batches.push(items.slice(at, at + size));
  if (filling !== null) requireFew(size);
  const last = batches.at(-1);
  while (filling !== null && last && last.length < size) last.push(filling);
  return new Generator(batches);
}

function lastOf(value: Value): Value {
  if (value instanceof Generator) throw new Error("'generator' object is not reversible");
  return orUndefined(iterate(value).at(-1), 'No last item, sequence was empty.');
}

function reverse(value: Value): Value {
  const items = [...iterate(value)].reverse();
  if (typeof value === 'string') return items.join('');
  return value instanceof Generator ? items : new Generator(items);
}

function sum(value: Value, path: Value, start: Value): Value {
  if (typeof start === 'string') throw new Error("sum() can't sum strings");
  return iterate(value).map(readPath(path)).reduce(add, start);
}

function first(value: Value): Value {
  const [item] = value instanceof Generator ? value.take(1) : iterate(value);
  return orUndefined(item, 'No first item, sequence was empty.');
}

function length(value: Value): number {
  const count = lengthOf(value);
  if (count === undefined) throw new Error(`object of type '${typeOf(value)}' has no len()`);
  return count;
}

function items(value: Value): Value {
  if (value instanceof Undefined) return new Generator([]);
  if (!(value instanceof Map)) throw new Error('Can only get item pairs from a mapping.');
  return new Generator(itemsOf(value));
}

export const LIST_FILTERS: ReadonlyMap<string, Callable> = defineAll({
  'batch value linecount fill_with': (value: Value, size: Value, filling: Value = null) =>
    batch(value, Math.max(1, requireInteger(size, 'batch')), filling),
  'count obj': length,
  'dictsort value case_sensitive by reverse': (
    value: Value,
    isCaseSensitive: Value = false,
    by: Value = 'key',
    isReversed: Value = false,
  ) => sortDict(value, isCaseSensitive, by, isReversed),
  'first seq': first,
  'groupby value attribute default case_sensitive': (
    value: Value,
    path: Value,
    otherwise: Value = null,
    isCaseSensitive: Value = false,
  ) => groupBy(value, path, otherwise, isCaseSensitive),
  'items value': items,
  'join value d attribute': (value: Value, separator: Value = '', path: Value = null) =>
    iterate(value).map(readPath(path)).map(toText).join(toText(separator)),
  'last seq': lastOf,
  'length obj': length,
  'list value': (value: Value) => [...iterate(value)],
  'max value case_sensitive attribute': (value: Value, isCaseSensitive: Value = false, path: Value = null) =>
    best(value, order => order > 0, isCaseSensitive, path),
  'min value case_sensitive attribute': (value: Value, isCaseSensitive: Value = false, path: Value = null) =>
    best(value, order => order < 0, isCaseSensitive, path),
  'reverse value': reverse,
  'sort value reverse case_sensitive attribute': (
    value: Value,
    isReversed: Value = false,
    isCaseSensitive: Value = false,
    path: Value = null,
  ) => sort(value, isReversed, isCaseSensitive, path),
  'sum iterable attribute start': (value: Value, path: Value = null, start: Value = 0) =>
    sum(value, path, start),
  'unique value case_sensitive attribute': (
    value: Value,
    isCaseSensitive: Value = false,
    path: Value = null,
  ) => unique(value, isCaseSensitive, path),
});
