// JSON as Python's module writes it, and read without a loss: integers of any size, 1.0 apart from 1, and keys in their order.
import { compare } from './operators.js';
import { writeFloat } from './text.js';
import { type Dict, Float, Tuple, toInteger, typeOf, type Value } from './values.js';

export interface JsonStyle {
  /** What indents a level. Undefined writes all in one line. */
  readonly indent?: string | undefined;
  readonly separators?: readonly [item: string, key: string] | undefined;
  readonly isAscii?: boolean;
  readonly sortsKeys?: boolean;
}

export function writeJson(value: Value, style: JsonStyle = {}): string {
  const { indent, isAscii = false, sortsKeys = false } = style;
  const [itemMark, keyMark] = style.separators ?? [indent === undefined ? ', ' : ',', ': '];
  const wrap = (open: string, items: readonly string[], close: string, level: string) => {
    if (items.length === 0) return open + close;
    if (indent === undefined) return open + items.join(itemMark) + close;
    const line = `\n${level}${indent}`;
    return `${open}${line}${items.join(itemMark + line)}\n${level}${close}`;
  };
  const text = (given: string) => (isAscii ? writeAscii(given) : JSON.stringify(given));
  const write = (item: Value, level: string): string => {
    if (typeof item === 'string') return text(item);
    const below = level + (indent ?? '');
    if (Array.isArray(item) || item instanceof Tuple) {
      const items = Array.isArray(item) ? item : item.items;
      return wrap(
        '[',
        items.map(each => write(each, below)),
        ']',
        level,
      );
    }
    if (!(item instanceof Map)) return writeScalar(item);
    const pairs = sortsKeys ? [...item].sort(([a], [b]) => compare(a, b)) : [...item];
    const written = pairs.map(([key, each]) => text(toKey(key)) + keyMark + write(each, below));
    return wrap('{', written, '}', level);
  };
  return write(value, '');
}

function writeScalar(value: Value): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (!(value instanceof Float)) throw new Error(`Object of type ${typeOf(value)} is not JSON serializable`);
  if (Number.isNaN(value.value)) return 'NaN';
  if (Number.isFinite(value.value)) return writeFloat(value.value);
  return value.value < 0 ? '-Infinity' : 'Infinity';
}

function toKey(key: Value): string {
  if (typeof key === 'string') return key;
  if (key instanceof Tuple) throw new Error('keys of JSON cannot be a tuple');
  return writeScalar(key);
}

const writeAscii = (text: string) =>
  JSON.stringify(text).replace(
    /[\x7f-\uffff]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[[\]{}]|true|false|null/g;

/** Throws a `SyntaxError` for what is not JSON. The caller makes sure that it is not nested too deeply. */
export function readJson(text: string): Value {
  JSON.parse(text);
  const tokens = text.match(TOKEN)!;
  let at = 0;
  const read = (): Value => {
    const token = tokens[at++]!;
    if (token === '[') {
      const items: Value[] = [];
      while (tokens[at] !== ']') items.push(read());
      at++;
      return items;
    }
    if (token === '{') {
      const dict: Dict = new Map();
      while (tokens[at] !== '}') dict.set(read(), read());
      at++;
      return dict;
    }
    if (/^[-\d]/.test(token))
      return /[.eE]/.test(token) ? new Float(Number(token)) : toInteger(BigInt(token));
    return JSON.parse(token) as string | boolean | null;
  };
  return read();
}
