// The filters of Jinja, and `tojson` of transformers. Those of lists are in list-filters.ts.
import { findAttribute, readPath } from './attributes.js';
import { defineAll } from './functions.js';
import { writeJson } from './json.js';
import { LIST_FILTERS } from './list-filters.js';
import { round, toFloat, toWhole } from './numbers.js';
import { compare, negate } from './operators.js';
import { slice } from './slices.js';
import { findTest } from './tests.js';
import { toText } from './text.js';
import { capitalize, center, replace, splitLines, strip } from './text-methods.js';
import {
  type Callable,
  Float,
  Generator,
  isNumber,
  isTrue,
  iterate,
  type Keywords,
  lengthOf,
  orUndefined,
  requireInteger,
  requireText,
  sequenceOf,
  Undefined,
  type Value,
} from './values.js';

const WORD_STARTS = /([-\s({[<]+)/;

function title(text: string): string {
  return text
    .split(WORD_STARTS)
    .map(word => {
      const [first = ''] = word;
      return first.toUpperCase() + word.slice(first.length).toLowerCase();
    })
    .join('');
}

function indent(text: string, width: Value, indentsFirst: boolean, indentsBlank: boolean): string {
  const by = typeof width === 'string' ? width : ' '.repeat(Math.max(0, requireInteger(width, 'indent')));
  const [first = '', ...others] = splitLines(`${text}\n`);
  const lines = others.map(line => (line || indentsBlank ? by + line : line));
  return [indentsFirst ? by + first : first, ...lines].join('\n');
}

function truncate(text: string, length: number, killsWords: boolean, end: string, leeway: number): string {
  const kept = length - lengthOf(end)!;
  if (kept < 0) throw new Error(`expected length >= ${lengthOf(end)}, got ${length}`);
  if (lengthOf(text)! <= length + leeway) return text;
  const start = slice(text, 0, kept, null) as string;
  const space = start.lastIndexOf(' ');
  return (killsWords || space < 0 ? start : start.slice(0, space)) + end;
}

function toJson(
  value: Value,
  isAscii: Value,
  indentation: Value,
  separators: Value,
  sortsKeys: Value,
): string {
  const pair = separators === null ? undefined : sequenceOf(separators);
  if (separators !== null && pair?.length !== 2) throw new Error('separators must be a pair of texts');
  return writeJson(value, {
    indent: toIndent(indentation),
    separators: pair && [requireText(pair[0], 'separators'), requireText(pair[1], 'separators')],
    isAscii: isTrue(isAscii),
    sortsKeys: isTrue(sortsKeys),
  });
}

function toIndent(given: Value): string | undefined {
  if (given === null) return undefined;
  return typeof given === 'string' ? given : ' '.repeat(Math.max(0, requireInteger(given, 'indent')));
}

function absolute(value: Value): Value {
  if (!isNumber(value)) return negate(value, '-');
  return compare(value, 0) < 0 ? negate(value, '-') : negate(value, '+');
}

function toDefault(value: Value, otherwise: Value = '', replacesFalse: Value = false): Value {
  return value instanceof Undefined || (isTrue(replacesFalse) && !isTrue(value)) ? otherwise : value;
}

const size = requireInteger;

const FILTERS: ReadonlyMap<string, Callable> = new Map([
  ...LIST_FILTERS,
  ...defineAll({
    'abs x': absolute,
    'attr obj name': (value: Value, name: Value) =>
      orUndefined(findAttribute(value, toText(name)), `there is no attribute '${toText(name)}'`),
    'capitalize s': (value: Value) => capitalize(toText(value)),
    'center value width': (value: Value, width: Value = 80) => center(toText(value), size(width, 'center')),
    'd value default_value boolean': toDefault,
    'default value default_value boolean': toDefault,
    'float value default': (value: Value, otherwise: Value = new Float(0)) => {
      const number = toFloat(value);
      return number === undefined ? otherwise : new Float(number);
    },
    'indent s width first blank': (
      value: Value,
      width: Value = 4,
      first: Value = false,
      blank: Value = false,
    ) => indent(requireText(value, 'indent'), width, isTrue(first), isTrue(blank)),
    'int value default base': (value: Value, otherwise: Value = 0, base: Value = 10) => {
      if (base !== 10) throw new Error('the filter int with a base is not supported');
      return toWhole(value) ?? otherwise;
    },
    'lower s': (value: Value) => toText(value).toLowerCase(),
    'replace s old new count': (value: Value, old: Value, by: Value, count: Value = null) =>
      replace(toText(value), toText(old), toText(by), count === null ? -1 : size(count, 'replace')),
    'round value precision method': (value: Value, precision: Value = 0, method: Value = 'common') =>
      round(value, size(precision, 'round'), method),
    'safe value': (value: Value) => toText(value),
    'string s': toText,
    'title s': (value: Value) => title(toText(value)),
    'tojson x ensure_ascii indent separators sort_keys': (
      value: Value,
      isAscii: Value = false,
      indentation: Value = null,
      separators: Value = null,
      sortsKeys: Value = false,
    ) => toJson(value, isAscii, indentation, separators, sortsKeys),
    'trim value chars': (value: Value, chars: Value = null) => strip(toText(value), chars),
    'truncate s length killwords end leeway': (
      value: Value,
      length: Value = 255,
      killsWords: Value = false,
      end: Value = '...',
      leeway: Value = null,
    ) =>
      truncate(
        requireText(value, 'truncate'),
        size(length, 'truncate'),
        isTrue(killsWords),
        requireText(end, 'truncate'),
        leeway === null ? 5 : size(leeway, 'truncate'),
      ),
    'upper s': (value: Value) => toText(value).toUpperCase(),
    'wordcount s': (value: Value) => toText(value).match(/[\p{L}\p{N}_]+/gu)?.length ?? 0,
  }),
]);

export function findFilter(name: string): Callable {
  const filter = FILTERS.get(name) ?? APPLYING.get(name);
  if (!filter) throw new Error(`there is no filter ${name}, or it is not supported`);
  return filter;
}

/** Filters that apply another filter or a test, which they name, to each item. */
const APPLYING: ReadonlyMap<string, Callable> = new Map<string, Callable>([
  ['map', map],
  ['select', (given, keywords) => select(given, keywords, null, true)],
  ['reject', (given, keywords) => select(given, keywords, null, false)],
  ['selectattr', (given, keywords) => selectBy(given, keywords, true)],
  ['rejectattr', (given, keywords) => selectBy(given, keywords, false)],
]);

function map([value, filter, ...args]: readonly Value[], keywords: Keywords): Value {
  if (!isTrue(value!)) return new Generator([]);
  if (filter === undefined) {
    const path = keywords.get('attribute');
    if (path === undefined) throw new Error('map requires a filter argument');
    for (const name of keywords.keys())
      if (name !== 'attribute' && name !== 'default')
        throw new Error(`Unexpected keyword argument '${name}'`);
    return new Generator(iterate(value!).map(readPath(path, keywords.get('default') ?? null)));
  }
  const apply = findFilter(requireText(filter, 'map'));
  return new Generator(iterate(value!).map(item => apply([item, ...args], keywords)));
}

function selectBy([value, path, ...args]: readonly Value[], keywords: Keywords, isKept: boolean): Value {
  if (path === undefined) throw new Error('Missing parameter for attribute name');
  return select([value!, ...args], keywords, path, isKept);
}

function select(
  [value, name, ...args]: readonly Value[],
  keywords: Keywords,
  path: Value,
  isKept: boolean,
): Value {
  if (!isTrue(value!)) return new Generator([]);
  const read = readPath(path);
  const test = name === undefined ? undefined : findTest(requireText(name, 'the name of a test'));
  const passes = (item: Value) => isTrue(test ? test([item, ...args], keywords) : item);
  return new Generator(iterate(value!).filter(item => passes(read(item)) === isKept));
}
