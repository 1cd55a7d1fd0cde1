// Turns a JSON schema's limits on a number into the digits that may be written.
import { type Keywords, SchemaError, UnenforceableError } from './keywords.js';
import { match, NEVER, type Node } from './machine.js';
import type { Matcher } from './matcher.js';

/** The most digits before and after the point, unless a schema needs more: enough for IDs, and for most doubles up to 1. */
const [DIGITS, DECIMALS] = [20, 17];

/** The same beside `multipleOf`, which a value that readers round would no longer be. */
const [EXACT_DIGITS, EXACT_DECIMALS] = [15, 6];

const MOST_DECIMALS = 2 * DECIMALS;

export function writeNumber(type: 'integer' | 'number', given: Keywords, path: string): Node {
  const read = (name: string): number | undefined => {
    const value = given[name];
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !Number.isFinite(value))
      throw new SchemaError(`${path}.${name} must be a number`);
    return value;
  };
  const [minimum, maximum, above, below, multiple] = [
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'multipleOf',
  ].map(read);
  const bounds = [minimum, maximum, above, below, multiple].filter(value => value !== undefined);
  if (multiple !== undefined && multiple <= 0)
    throw new SchemaError(`${path}.multipleOf must be greater than 0`);
  if (multiple !== undefined && decimalsOf(multiple) > MOST_DECIMALS)
    throw new UnenforceableError(
      path,
      'multipleOf',
      `${path}.multipleOf: more than ${MOST_DECIMALS} decimals cannot be enforced`,
    );
  // A whole number is a multiple of 1, however it is rounded.
  const isExact = multiple !== undefined && multiple !== 1;
  const needed = Math.min(Math.max(0, ...bounds.map(decimalsOf)), MOST_DECIMALS);
  const decimals =
    type === 'integer' && needed === 0 ? 0 : Math.max(isExact ? EXACT_DECIMALS : DECIMALS, needed);
  const unit = 10n ** BigInt(decimals);
  const atLeast = (value: number) => roundUp(value, decimals);
  const moreThan = (value: number) =>
    value === 0 ? 1n : roundUp(Math.min(nextUp(value), Number.MAX_VALUE), decimals);
  const lowest = [minimum !== undefined && atLeast(minimum), above !== undefined && moreThan(above)];
  // The upper limits, as lower ones of the opposite number.
  const opposite = [maximum !== undefined && atLeast(-maximum), below !== undefined && moreThan(-below)];
  const most = 10n ** BigInt(isExact ? EXACT_DIGITS : DIGITS) * unit;
  const largest =
    greatest(
      most,
      [...lowest, ...opposite].map(bound => bound && bound * 10n),
    ) - 1n;
  const matcher = number({
    decimals: type === 'integer' ? 0 : decimals,
    mayHaveExponent: type === 'number' && bounds.length === 0,
    ...scaled(type, decimals, {
      min: greatest(-largest, lowest),
      max: -greatest(-largest, opposite),
      step: multiple === undefined ? 1n : toInteger(multiple, decimals),
    }),
  });
  return matcher ? match(matcher) : NEVER;
}

const greatest = (first: bigint, others: readonly (bigint | false)[]): bigint =>
  others.reduce<bigint>((best, value) => (value !== false && value > best ? value : best), first);

/** In units of the last decimal. */
function roundUp(value: number, decimals: number): bigint {
  // Beyond what is exact, the shortest form of a bound may lie on its other side.
  if (Number.isInteger(value)) return BigInt(value) * 10n ** BigInt(decimals);
  const finer = Math.max(decimals, decimalsOf(value));
  return ceilDivide(toInteger(value, finer), 10n ** BigInt(finer - decimals));
}

/**
 * The next number that readers can tell from it: a decimal more would be rounded to the bound that it must not be. Not of 0: the
 * threads of ONNX Runtime take what is next to it for 0.
 */
function nextUp(value: number): number {
  const bits = new BigInt64Array(Float64Array.of(value).buffer);
  bits[0]! += value > 0 ? 1n : -1n;
  return new Float64Array(bits.buffer)[0]!;
}

interface Range {
  min: bigint;
  max: bigint;
  step: bigint;
}

/** The limits of an integer: rounded inward, with a step that is a multiple of both 1 and the original step. */
function scaled(type: 'integer' | 'number', decimals: number, { min, max, step }: Range): Range {
  if (type === 'number' || decimals === 0) return { min, max, step };
  const unit = 10n ** BigInt(decimals);
  const common = (step * unit) / divisor(step, unit);
  return { min: ceilDivide(min, unit), max: -ceilDivide(-max, unit), step: common / unit };
}

const ceilDivide = (a: bigint, b: bigint) => a / b + (a % b > 0n ? 1n : 0n);

function divisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : divisor(b, a % b);
}

function decimalsOf(value: number): number {
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(exponent));
}

function toInteger(value: number, decimals: number): bigint {
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  const shift = decimals + Number(exponent) - fraction.length;
  const units = BigInt(whole + fraction);
  return shift >= 0 ? units * 10n ** BigInt(shift) : units / 10n ** BigInt(-shift);
}

/** Whether one number is a multiple of another, as both are written: in binary, hardly any has a hundredth. */
export function isMultiple(value: number, step: number): boolean {
  const decimals = Math.max(decimalsOf(value), decimalsOf(step));
  return toInteger(value, decimals) % toInteger(step, decimals) === 0n;
}

interface NumberLimits {
  /** Digits after the point. */
  decimals: number;
  /** The limits, in units of the last decimal. */
  min: bigint;
  max: bigint;
  /** The number is a multiple of this many units. */
  step: bigint;
  /** Whether an exponent may follow, which nothing limits. */
  mayHaveExponent?: boolean;
}

/**
 * A number within limits. A digit is allowed only if some valid number starts with the text so far.
 * Null if no number fits. @internal
 */
export function number(limits: NumberLimits): Matcher | null {
  const start = at(limits, '');
  return canFollow(limits, '') ? start : null;
}

function at(limits: NumberLimits, text: string): Matcher {
  const { decimals, min, max, step, mayHaveExponent = false } = limits;
  return {
    key: `n${decimals}:${min}:${max}:${step}:${mayHaveExponent}:${text}`,
    isWhole: isWhole(limits, text),
    step(byte) {
      const letter = String.fromCharCode(byte);
      if (mayHaveExponent && 'eE'.includes(letter)) return isWhole(limits, text) ? exponent('') : null;
      const next = text + letter;
      if (!WRITTEN.test(next) || !canFollow(limits, next)) return null;
      return at(limits, next);
    },
    closing: () => Buffer.from(closingOf(limits, text)),
  };
}

/** What follows the letter. With two digits, it does not lead beyond what readers can hold. */
function exponent(text: string): Matcher {
  const hasEnded = /\d$/.test(text);
  return {
    key: `x${text}`,
    isWhole: hasEnded,
    step(byte) {
      const next = text + String.fromCharCode(byte);
      return /^[+-]?\d{0,2}$/.test(next) ? exponent(next) : null;
    },
    closing: () => Buffer.from(hasEnded ? '' : '0'),
  };
}

/** The fewest characters that make a valid number of this text. */
function closingOf(limits: NumberLimits, text: string): string {
  if (isWhole(limits, text)) return '';
  const { fraction } = partsOf(text);
  // Small numbers have zeros on both sides of the point.
  const longest = Math.max(String(largestOf(limits)).length, limits.decimals + 1) + 1;
  for (let length = 1; length <= longest; length++)
    for (let decimals = length; decimals >= 0; decimals--) {
      // A new fraction needs its point.
      const digits = fraction === undefined && decimals > 0 ? decimals - 1 : decimals;
      if (fraction === undefined && decimals === 1) continue;
      const found = completeWith(limits, text, { whole: length - decimals, fraction: digits });
      if (found) return found.slice(text.length);
    }
  return text === '' ? `-${closingOf(limits, '-')}` : '';
}

/** A valid number that starts with this text and has this many more digits before and after the point. */
function completeWith(
  limits: NumberLimits,
  text: string,
  more: { whole: number; fraction: number },
): string | null {
  const { isNegative, whole, fraction } = partsOf(text);
  const decimals = (fraction?.length ?? 0) + more.fraction;
  const isStart = whole === '';
  if (decimals > limits.decimals || (isStart && more.whole === 0)) return null;
  if (more.whole > 0 && (whole === '0' || fraction !== undefined)) return null;
  const unit = 10n ** BigInt(limits.decimals - decimals);
  const scale = 10n ** BigInt(more.whole + more.fraction);
  const digits = BigInt(whole + (fraction ?? ''));
  const least = isStart && more.whole > 1 ? scale / 10n : digits * scale;
  const [low, high] = [least * unit, ((digits + 1n) * scale - 1n) * unit];
  const step = (limits.step * unit) / divisor(limits.step, unit);
  const value = isNegative
    ? firstMultiple({ ...limits, step }, -high, low > 0n ? -low : -1n)
    : firstMultiple({ ...limits, step }, low, high);
  if (value === null) return null;
  const written = String((value < 0n ? -value : value) / unit).padStart(decimals + 1, '0');
  const point = written.length - decimals;
  return `${isNegative ? '-' : ''}${written.slice(0, point)}${decimals > 0 ? `.${written.slice(point)}` : ''}`;
}

function partsOf(text: string) {
  const [whole = '', fraction] = text.replace('-', '').split('.');
  return { isNegative: text.startsWith('-'), whole, fraction };
}

/** A valid start of a number. */
const WRITTEN = /^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?)?$/;

function isWhole(limits: NumberLimits, text: string): boolean {
  if (!/\d$/.test(text) || text.startsWith('-') !== unitsOf(limits, text) < 0n) return false;
  const value = unitsOf(limits, text);
  return value >= limits.min && value <= limits.max && value % limits.step === 0n;
}

/** The value in units of a text that ends with a digit. */
function unitsOf({ decimals }: NumberLimits, text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const units = BigInt(whole + fraction.padEnd(decimals, '0'));
  return text.startsWith('-') ? -units : units;
}

const largestOf = ({ min, max }: NumberLimits) => (-min > max ? -min : max);

/** Whether some valid number starts with this text. */
function canFollow(limits: NumberLimits, text: string): boolean {
  const { decimals, min, max } = limits;
  const { isNegative, whole, fraction } = partsOf(text);
  if (fraction !== undefined && (fraction.length > decimals || decimals === 0)) return false;
  if (whole === '') {
    const negative = hasMultiple(limits, min, -1n < max ? -1n : max);
    return isNegative ? negative : negative || hasMultiple(limits, min < 0n ? 0n : min, max);
  }
  const largest = largestOf(limits);
  const digits = BigInt(whole + (fraction ?? ''));
  const isFixed = fraction !== undefined || whole === '0';
  for (let scale = 10n ** BigInt(decimals - (fraction?.length ?? 0)); ; scale *= 10n) {
    const [low, high] = [digits * scale, (digits + 1n) * scale - 1n];
    const found = isNegative
      ? hasMultiple(limits, -high, low > 0n ? -low : -1n)
      : hasMultiple(limits, low, high);
    if (found) return true;
    if (isFixed || low > largest) return false;
  }
}

/** Whether a valid number lies between these. */
const hasMultiple = (limits: NumberLimits, low: bigint, high: bigint) =>
  firstMultiple(limits, low, high) !== null;

function firstMultiple({ min, max, step }: NumberLimits, low: bigint, high: bigint): bigint | null {
  const from = low > min ? low : min;
  const rest = ((from % step) + step) % step;
  const first = from + (rest === 0n ? 0n : step - rest);
  return first <= high && first <= max ? first : null;
}
