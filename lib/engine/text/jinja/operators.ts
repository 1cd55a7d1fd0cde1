// What Python's operators compute.
import { toText } from './text.js';
import {
  Float,
  Generator,
  isInteger,
  isNumber,
  iterate,
  requireDefined,
  requireFew,
  Tuple,
  toInteger,
  typeOf,
  Undefined,
  type Value,
} from './values.js';

type Operator = (left: Value, right: Value) => Value;

export const OPERATORS: Readonly<Record<string, Operator>> = {
  '==': equals,
  '!=': (left, right) => !equals(left, right),
  '<': (left, right) => compare(left, right, '<') < 0,
  '>': (left, right) => compare(left, right, '>') > 0,
  '<=': (left, right) => compare(left, right, '<=') <= 0,
  '>=': (left, right) => compare(left, right, '>=') >= 0,
  in: (left, right) => contains(right, left),
  'not in': (left, right) => !contains(right, left),
  '+': add,
  '-': (left, right) => calculate('-', left, right),
  '*': multiply,
  '/': divide,
  '//': (left, right) => calculate('//', left, right),
  '%': modulo,
  '**': power,
  '~': (left, right) => toText(left) + toText(right),
};

export function equals(left: Value, right: Value): boolean {
  if (left === right) return true;
  if (isNumber(left)) return isNumber(right) && isSame(toNumber(left), toNumber(right));
  if (left instanceof Undefined) return right instanceof Undefined;
  if (Array.isArray(left)) return Array.isArray(right) && haveSameItems(left, right);
  if (left instanceof Tuple) return right instanceof Tuple && haveSameItems(left.items, right.items);
  if (left instanceof Map)
    return (
      right instanceof Map &&
      left.size === right.size &&
      [...left].every(([key, value]) => {
        const found = findKey(right, key);
        return found !== undefined && equals(value, right.get(found)!);
      })
    );
  if (typeOf(left) === 'range' && typeOf(right) === 'range')
    return haveSameItems(iterate(left), iterate(right));
  return false;
}

const haveSameItems = (left: readonly Value[], right: readonly Value[]) =>
  left.length === right.length && left.every((item, index) => equals(item, right[index]!));

const toNumber = (value: number | bigint | boolean | Float): number | bigint =>
  value instanceof Float ? value.value : typeof value === 'boolean' ? Number(value) : value;

/** Also a bigint and a number. */
const isSame = (a: number | bigint, b: number | bigint) => a <= b && a >= b;

/** Below 0 if the left is less, above 0 if it is more, NaN if there is no order between them. */
export function compare(left: Value, right: Value, sign = '<'): number {
  requireDefined(left);
  requireDefined(right);
  if (isNumber(left) && isNumber(right)) {
    const [a, b] = [toNumber(left), toNumber(right)];
    return a < b ? -1 : a > b ? 1 : isSame(a, b) ? 0 : Number.NaN;
  }
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right);
  const [a, b] =
    left instanceof Tuple && right instanceof Tuple
      ? [left.items, right.items]
      : Array.isArray(left) && Array.isArray(right)
        ? [left, right]
        : [];
  if (!a || !b)
    throw new Error(`'${sign}' not supported between instances of '${typeOf(left)}' and '${typeOf(right)}'`);
  const at = a.findIndex((item, index) => index >= b.length || !equals(item, b[index]!));
  return at >= 0 && at < b.length ? compare(a[at]!, b[at]!, sign) : a.length - b.length;
}

/** By code points, as JavaScript compares halves of pairs. */
function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  if (at === left.length || at === right.length) return left.length - right.length;
  const codeAt = (text: string) => {
    const code = text.charCodeAt(at);
    return code >= 0xd800 && code <= 0xdfff ? code + 0x10000 : code;
  };
  return codeAt(left) - codeAt(right);
}

export function contains(holder: Value, wanted: Value): boolean {
  if (typeof holder === 'string') {
    if (typeof wanted === 'string') return holder.includes(wanted);
    throw new Error(`'in <string>' requires string as left operand, not ${typeOf(wanted)}`);
  }
  if (holder instanceof Map) return findKey(holder, wanted) !== undefined;
  if (holder instanceof Generator) {
    for (let [item] = holder.take(1); item !== undefined; [item] = holder.take(1))
      if (equals(item, wanted)) return true;
    return false;
  }
  return iterate(holder).some(item => equals(item, wanted));
}

/** The key of a dict that equals a value: 1, 1.0 and True are the same. */
export function findKey(dict: ReadonlyMap<Value, Value>, wanted: Value): Value | undefined {
  if (typeof wanted === 'string' || wanted === null) return dict.has(wanted) ? wanted : undefined;
  requireHashable(wanted);
  for (const key of dict.keys()) if (equals(key, wanted)) return key;
  return undefined;
}

export function requireHashable(value: Value): void {
  if (Array.isArray(value) || value instanceof Map) throw new Error(`unhashable type: '${typeOf(value)}'`);
  if (value instanceof Tuple) value.items.forEach(requireHashable);
}

/** Sets a key of a dict. An equal key stays as it was. */
export function setKey(dict: Map<Value, Value>, key: Value, value: Value): void {
  dict.set(findKey(dict, key) ?? key, value);
}

export function add(left: Value, right: Value): Value {
  if (typeof left === 'string' && typeof right === 'string') return left + right;
  if (Array.isArray(left) && Array.isArray(right)) return [...left, ...right];
  if (left instanceof Tuple && right instanceof Tuple) return new Tuple([...left.items, ...right.items]);
  if (typeof left === 'string' || typeof right === 'string') {
    const other = typeof left === 'string' ? right : left;
    requireDefined(other);
    throw new Error(
      other instanceof Map
        ? 'it joins an object, such as the arguments of a tool call, with text'
        : `it joins text with ${typeOf(other)}, which needs the filter string`,
    );
  }
  return calculate('+', left, right);
}

function multiply(left: Value, right: Value): Value {
  if (isInteger(right)) {
    const count = Math.max(0, Number(right));
    if (typeof left === 'string') return left.repeat(count);
    if (Array.isArray(left)) return repeat(left, count);
    if (left instanceof Tuple) return new Tuple(repeat(left.items, count));
  }
  const isRepeated = typeof right === 'string' || Array.isArray(right) || right instanceof Tuple;
  return isInteger(left) && isRepeated ? multiply(right, left) : calculate('*', left, right);
}

function repeat(items: readonly Value[], count: number): Value[] {
  requireFew(items.length * count);
  return items.length === 0 ? [] : Array.from({ length: count }, () => items).flat();
}

type Sign = '+' | '-' | '*' | '//' | '%';

const OF_FLOATS: Readonly<Record<Sign, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '//': (a, b) => Math.round((a - rest(a, b)) / b) || a / b / Infinity,
  '%': rest,
};

const OF_INTEGERS: Readonly<Record<Sign, (a: bigint, b: bigint) => bigint>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '//': (a, b) => a / b - (a % b !== 0n && a < 0n !== b < 0n ? 1n : 0n),
  '%': (a, b) => ((a % b) + b) % b,
};

/** The rest has the sign of the divisor. */
function rest(a: number, b: number): number {
  const left = a % b;
  if (left === 0) return b < 0 ? -0 : 0;
  return left < 0 !== b < 0 ? left + b : left;
}

function calculate(sign: Sign, left: Value, right: Value): Value {
  requireDefined(left);
  requireDefined(right);
  if (!isNumber(left) || !isNumber(right)) throw unsupported(sign, left, right);
  const [a, b] = [toNumber(left), toNumber(right)];

  if ((sign === '//' || sign === '%') && isSame(b, 0)) throw new Error('division by zero');
  if (left instanceof Float || right instanceof Float)
    return new Float(OF_FLOATS[sign](Number(a), Number(b)));
  if (typeof a === 'number' && typeof b === 'number') {
    const result = OF_FLOATS[sign](a, b);
    if (Number.isSafeInteger(result)) return result + 0;
  }
  return toInteger(OF_INTEGERS[sign](BigInt(a), BigInt(b)));
}

const unsupported = (sign: string, left: Value, right: Value) =>
  new Error(`unsupported operand type(s) for ${sign}: '${typeOf(left)}' and '${typeOf(right)}'`);

function divide(left: Value, right: Value): Value {
  requireDefined(left);
  requireDefined(right);
  if (!isNumber(left) || !isNumber(right)) throw unsupported('/', left, right);
  const divisor = Number(toNumber(right));
  if (divisor === 0) throw new Error('division by zero');
  return new Float(Number(toNumber(left)) / divisor);
}

function modulo(left: Value, right: Value): Value {
  if (typeof left === 'string') throw new Error('formatting text with % is not supported');
  return calculate('%', left, right);
}

function power(left: Value, right: Value): Value {
  requireDefined(left);
  requireDefined(right);
  if (!isNumber(left) || !isNumber(right)) throw unsupported('**', left, right);
  const [a, b] = [toNumber(left), toNumber(right)];
  if (Number(a) === 0 && b < 0) throw new Error('zero cannot be raised to a negative power');
  if (isInteger(left) && isInteger(right) && b >= 0) {
    if (b > 10_000) throw new Error('the exponent is too large');
    return toInteger(BigInt(a) ** BigInt(b));
  }
  const result = Number(a) ** Number(b);
  if (Number.isNaN(result)) throw new Error('a power that is a complex number is not supported');
  return new Float(result);
}

export function negate(value: Value, sign: '-' | '+'): Value {
  requireDefined(value);
  if (!isNumber(value)) throw new Error(`bad operand type for unary ${sign}: '${typeOf(value)}'`);
  const number = toNumber(value);
  if (value instanceof Float) return sign === '-' ? new Float(-value.value) : value;
  return toInteger(sign === '-' ? -number : number);
}
