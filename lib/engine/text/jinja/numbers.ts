// Texts as numbers, and rounding, as Python does it.
import { strip } from './text-methods.js';
import { Float, isInteger, requireDefined, toInteger, type Value } from './values.js';

const INTEGER = /^[-+]?\d+(?:_\d+)*$/;
const DECIMAL = /^[-+]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[-+]?\d+(?:_\d+)*)?$/i;
const SPECIAL = /^([-+]?)(?:inf(inity)?|(nan))$/i;

/** Python's `float`. Undefined for what is not a number. */
export function toFloat(value: Value): number | undefined {
  requireDefined(value);
  if (value instanceof Float) return value.value;
  if (isInteger(value)) return Number(value);
  if (typeof value !== 'string') return undefined;
  const text = strip(value, null);
  if (DECIMAL.test(text)) return Number(text.replaceAll('_', ''));
  const [match, sign, , nan] = SPECIAL.exec(text) ?? [];
  if (match === undefined) return undefined;
  return nan ? Number.NaN : sign === '-' ? -Infinity : Infinity;
}

/** Jinja's filter `int`. Undefined for what is not a number. */
export function toWhole(value: Value): number | bigint | undefined {
  if (typeof value === 'string') {
    const text = strip(value, null);
    if (INTEGER.test(text)) return toInteger(toBigInt(text.replaceAll('_', '')));
  } else if (isInteger(value)) return toInteger(typeof value === 'bigint' ? value : Number(value));
  const number = toFloat(value);
  if (number === undefined || Number.isNaN(number)) return undefined;
  if (Number.isFinite(number)) return toInteger(Math.trunc(number));
  if (typeof value === 'string') return undefined;
  throw new Error('cannot convert float infinity to integer');
}

const toBigInt = (text: string) =>
  text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text.replace('+', ''));

/** Jinja's filter `round`. A number in the middle is rounded to the even one. */
export function round(value: Value, digits: number, method: Value): Value {
  requireDefined(value);
  if (method !== 'common' && method !== 'ceil' && method !== 'floor')
    throw new Error('method must be common, ceil or floor');
  if (!isInteger(value) && !(value instanceof Float)) throw new Error('round needs a number');
  const number = value instanceof Float ? value.value : Number(value);
  if (method !== 'common') {
    const scale = 10 ** digits;
    return new Float(Math[method](number * scale) / scale);
  }
  if (digits < 0 || digits > 100) throw new Error(`round with a precision of ${digits} is not supported`);
  return value instanceof Float
    ? new Float(roundToEven(number, digits))
    : toInteger(value === true ? 1 : value || 0);
}

function roundToEven(number: number, digits: number): number {
  if (!Number.isFinite(number) || Math.abs(number) >= 1e21) return number;
  const exact = Math.abs(number).toFixed(Math.min(100, digits + 60));
  const shown = Math.abs(number).toFixed(digits);
  const cut = exact.slice(0, exact.indexOf('.') + (digits === 0 ? 0 : digits + 1));
  const isMiddle = /^\.?50*$/.test(exact.slice(cut.length));
  const isEven = /[02468]\.?$/.test(cut);
  const rounded = Number(isMiddle && isEven ? cut : shown);
  return number < 0 || Object.is(number, -0) ? -rounded : rounded;
}
