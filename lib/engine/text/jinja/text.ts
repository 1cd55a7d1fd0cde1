// How Python writes values as text: `str` and `repr`.
import { Float, Generator, Instance, Range, Tuple, typeOf, Undefined, type Value, View } from './values.js';

/** Python's `str`. */
export function toText(value: Value): string {
  if (typeof value === 'string') return value;
  return value instanceof Undefined ? '' : represent(value);
}

/** Python's `repr`. */
export function represent(value: Value): string {
  if (value === null) return 'None';
  switch (typeof value) {
    case 'string':
      return quote(value);
    case 'boolean':
      return value ? 'True' : 'False';
    case 'number':
    case 'bigint':
      return String(value);
  }
  if (Array.isArray(value)) return `[${list(value)}]`;
  if (value instanceof Float) return writeFloat(value.value);
  if (value instanceof Tuple) return `(${list(value.items)}${value.items.length === 1 ? ',' : ''})`;
  if (value instanceof Map) {
    const items = Array.from(value, ([key, item]) => `${represent(key)}: ${represent(item)}`);
    return `{${items.join(', ')}}`;
  }
  if (value instanceof View) return `dict_${value.of}([${list(value.items)}])`;
  if (value instanceof Range) return `range(${rangeBounds(value).join(', ')})`;
  if (value instanceof Undefined) return 'Undefined';
  if (value instanceof Instance || value instanceof Generator || typeof value === 'function')
    throw new Error(`a ${typeOf(value)} cannot be written as text`);
  return value satisfies never;
}

const list = (items: readonly Value[]) => items.map(represent).join(', ');

const rangeBounds = ({ bounds: [start, stop, step] }: Range) =>
  step === 1 ? [start, stop] : [start, stop, step];

export function writeFloat(number: number): string {
  if (Number.isNaN(number)) return 'nan';
  if (!Number.isFinite(number)) return number < 0 ? '-inf' : 'inf';
  const [digits, exponent] = number.toExponential().split('e');
  const power = Number(exponent);
  if (power < -4 || power >= 16)
    return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
  return Object.is(number, -0) ? '-0.0' : `${number}${Number.isInteger(number) ? '.0' : ''}`;
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const toEscape = (character: string) => {
    if (character === ' ') return character;
    if (character === "'") return character === mark ? "\\'" : character;
    const code = character.codePointAt(0)!;
    const [letter, digits] = code < 0x100 ? ['x', 2] : code < 0x10000 ? ['u', 4] : (['U', 8] as const);
    return ESCAPES[character] ?? `\\${letter}${code.toString(16).padStart(digits, '0')}`;
  };
  return `${mark}${text.replace(/[\\'\p{C}\p{Z}]/gu, toEscape)}${mark}`;
}
