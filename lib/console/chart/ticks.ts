// Round axis ticks inside a range, and the position of a value on an axis. Tick values are built from decimal text, so
// that 0.3 is 0.3 and never 0.1 + 0.2.
import { formatNumber } from '../text/format.js';

export interface Tick {
  readonly value: number;
  readonly label: string;
}

interface TickOptions {
  /** The approximate number of ticks. */
  readonly target?: number;
  /** Whole numbers only. */
  readonly integer?: boolean;
}

// A tick step is `unit` x 10^exponent; ticks are its whole multiples.
const UNITS = [1, 2, 5];

/**
 * About `target` ticks at whole multiples of 1, 2 or 5 x 10^k inside the range. All labels have as many decimals
 * as the finest one needs. A range of one value has its tick there; only the label is rounded.
 */
export function niceTicks(min: number, max: number, options: TickOptions = {}): Tick[] {
  const { target = 5, integer = false } = options;
  if (!Number.isFinite(min) || !Number.isFinite(max) || min > max) return [];
  if (min === max) return [onlyTick(min + 0, integer)];
  const values = bestValues(min, max, Math.max(1, target), integer);
  const labels = tickLabels(values);
  return values.map((value, index) => ({ value, label: labels[index]! }));
}

/** Where `value` lies between `min` (0) and `max` (1); 0.5 if the range is a single value. */
export function toFraction(value: number, min: number, max: number): number {
  if (min === max) return 0.5;
  const range = max - min;
  // Halved, because the width of the range may overflow.
  return Number.isFinite(range) ? (value - min) / range : (value / 2 - min / 2) / (max / 2 - min / 2);
}

function onlyTick(value: number, integer: boolean): Tick {
  return { value, label: integer ? tickLabels([value])[0]! : formatNumber(value) };
}

function bestValues(min: number, max: number, target: number, integer: boolean): number[] {
  // The width may overflow, and the parts may be too close to tell apart.
  const spacing = Number.isFinite(max - min) ? (max - min) / target : max / target - min / target;
  const magnitude = Math.floor(Math.log10(Math.max(spacing, Number.MIN_VALUE)));
  let best: number[] = [];
  for (let exponent = magnitude; exponent <= magnitude + 1; exponent++) {
    for (const unit of UNITS) {
      if (integer && exponent < 0) continue;
      const values = multiplesInside(min, max, unit, exponent);
      if (isCloser(values.length, best.length, target)) best = values;
    }
  }
  if (best.length > 0) return best;
  // A narrow range holds at most one whole number; two neighboring doubles hold nothing between them.
  return integer && max - min <= 1 ? multiplesInside(min, max, 1, 0) : [min, max];
}

function isCloser(count: number, best: number, target: number): boolean {
  if (count === 0 || best === 0) return count > best;
  const gain = Math.abs(best - target) - Math.abs(count - target);
  return gain > 0 || (gain === 0 && count < best);
}

function multiplesInside(min: number, max: number, unit: number, exponent: number): number[] {
  const step = Number(`${unit}e${exponent}`);
  if (step === 0 || !Number.isFinite(step)) return [];
  // One extra on either side: the division may be slightly off, but the comparison below is exact.
  const first = Math.floor(min / step) - 1;
  const count = Math.ceil(max / step) + 1 - first;
  const values: number[] = [];
  for (let offset = 0; offset <= count; offset++) {
    const value = Number(`${(BigInt(first) + BigInt(offset)) * BigInt(unit)}e${exponent}`);
    if (value >= min && value <= max && value !== values.at(-1)) values.push(value);
  }
  return values;
}

/** All labels with as many decimals as the finest one needs. */
export function tickLabels(values: readonly number[]): string[] {
  const largest = Math.max(...values.map(Math.abs));
  const plain = toDecimalLabels(values.map(String));
  const short = values.map(toExponentLabel);
  const tiny = largest > 0 && largest < 1e-4;
  const longwinded = largest >= 1e9 && widest(short) < widest(plain);
  return tiny || longwinded || plain.some(text => text.includes('e')) ? short : plain;
}

function toDecimalLabels(texts: readonly string[]): string[] {
  const decimals = texts.map(text => text.split('.')[1] ?? '');
  const needed = widest(decimals);
  if (needed === 0) return [...texts];
  return texts.map((text, index) => `${text.split('.')[0]}.${decimals[index]!.padEnd(needed, '0')}`);
}

function toExponentLabel(value: number): string {
  return value === 0 ? '0' : value.toExponential().replace('e+', 'e');
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map(text => text.length));
}
