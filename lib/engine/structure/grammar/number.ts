// Numbers within limits, without exponents. A digit may come next only if a number that fits begins with what is written.
import type { Matcher } from './matcher.js';

interface NumberLimits {
  /** Digits after the point. */
  decimals: number;
  /** In units of the last decimal. */
  min: bigint;
  max: bigint;
  /** The number is a multiple of this many units. */
  step: bigint;
}

/** So many digits are exact in every reader. */
const MOST_DIGITS = 15;

/** The largest number, in units, where nothing else limits it. */
export const LARGEST = 10n ** BigInt(MOST_DIGITS) - 1n;

/** Null if no number fits. */
export function number(limits: NumberLimits): Matcher | null {
  const start = at(limits, '');
  return canFollow(limits, '') ? start : null;
}

function at(limits: NumberLimits, text: string): Matcher {
  const { decimals, min, max, step } = limits;
  return {
    key: `n${decimals}:${min}:${max}:${step}:${text}`,
    isWhole: isWhole(limits, text),
    step(byte) {
      const next = text + String.fromCharCode(byte);
      if (!WRITTEN.test(next) || !canFollow(limits, next)) return null;
      return at(limits, next);
    },
  };
}

/** What a number may begin with. */
const WRITTEN = /^-?(?:(?:0|[1-9]\d*)(?:\.\d*)?)?$/;

function isWhole(limits: NumberLimits, text: string): boolean {
  if (!/\d$/.test(text) || text.startsWith('-') !== unitsOf(limits, text) < 0n) return false;
  const value = unitsOf(limits, text);
  return value >= limits.min && value <= limits.max && value % limits.step === 0n;
}

/** Of a text that ends with a digit, in units. */
function unitsOf({ decimals }: NumberLimits, text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const units = BigInt(whole + fraction.padEnd(decimals, '0'));
  return text.startsWith('-') ? -units : units;
}

/** Whether a number that fits begins with this text. */
function canFollow(limits: NumberLimits, text: string): boolean {
  const { decimals, min, max } = limits;
  const isNegative = text.startsWith('-');
  const [whole = '', fraction] = text.replace('-', '').split('.');
  if (fraction !== undefined && (fraction.length > decimals || decimals === 0)) return false;
  if (whole === '') {
    const negative = hasMultiple(limits, min, -1n < max ? -1n : max);
    return isNegative ? negative : negative || hasMultiple(limits, min < 0n ? 0n : min, max);
  }
  const largest = -min > max ? -min : max;
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

/** Whether a number that fits lies between these. */
function hasMultiple({ min, max, step }: NumberLimits, low: bigint, high: bigint): boolean {
  const from = low > min ? low : min;
  const to = high < max ? high : max;
  if (from > to) return false;
  const rest = ((from % step) + step) % step;
  return from + (rest === 0n ? 0n : step - rest) <= to;
}
