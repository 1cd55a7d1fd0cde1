import { expect, test } from 'vitest';
import { niceTicks, toFraction } from '../../lib/console/ticks.js';

const WIDEST = Number.MAX_VALUE;

function labelsOf(...range: Parameters<typeof niceTicks>): string[] {
  return niceTicks(...range).map(tick => tick.label);
}

test('ticks are rounded values inside the range', () => {
  expect(niceTicks(0.13, 0.71).map(tick => tick.value)).toEqual([0.2, 0.3, 0.4, 0.5, 0.6, 0.7]);
  expect(niceTicks(-3, -1.2).map(tick => tick.value)).toEqual([-3, -2.5, -2, -1.5]);
  expect(niceTicks(0, 10).map(tick => tick.value)).toEqual([0, 2, 4, 6, 8, 10]);
});

test.each([
  [0, 1],
  [2.31, 2.38],
  [-7, 1e6],
  [1e-9, 5e-9],
  [-WIDEST, WIDEST],
  [0, Number.MIN_VALUE],
  [1, 1 + Number.EPSILON],
  [1e300, 1.0000000000000002e300],
  [8.117698060545695e-209, 8.117698060545696e-209],
])('between %f and %f there are a few finite ticks that never widen the range', (min, max) => {
  const ticks = niceTicks(min, max);
  expect(ticks.length).toBeGreaterThanOrEqual(2);
  expect(ticks.length).toBeLessThanOrEqual(6);
  for (const { value, label } of ticks) {
    expect(value).toBeGreaterThanOrEqual(min);
    expect(value).toBeLessThanOrEqual(max);
    expect(Number(label)).toBe(value);
  }
});

test('a range of any place and size has 3 to 7 ticks, at 1, 2 or 5 times a power of ten', () => {
  const faults: string[] = [];
  for (let start = -20; start <= 20; start += 0.7) {
    for (let size = 1e-3; size < 1e4; size *= 1.13) {
      const ticks = niceTicks(start, start + size);
      const step = (ticks.at(-1)!.value - ticks[0]!.value) / (ticks.length - 1);
      const isRound = /^[125]\.000e/.test(step.toExponential(3));
      if (ticks.length < 3 || ticks.length > 7 || !isRound) faults.push(`${start} + ${size}`);
    }
  }
  expect(faults).toEqual([]);
});

test('labels have just the decimals that the ticks need and no floating-point noise', () => {
  expect(labelsOf(0, 0.3)).toEqual(['0.0', '0.1', '0.2', '0.3']);
  expect(labelsOf(0.1, 0.5)).toEqual(['0.1', '0.2', '0.3', '0.4', '0.5']);
  expect(labelsOf(-1, 0)).toEqual(['-1.0', '-0.8', '-0.6', '-0.4', '-0.2', '0.0']);
  expect(labelsOf(0, 400)).toEqual(['0', '100', '200', '300', '400']);
});

test('very small and very large labels have an exponent', () => {
  expect(labelsOf(-5e-5, 5e-5)).toEqual(['-4e-5', '-2e-5', '0', '2e-5', '4e-5']);
  expect(labelsOf(1e22, 9e22)).toEqual(['2e22', '4e22', '6e22', '8e22']);
  expect(labelsOf(1e9, 1e9 + 2, { integer: true })).toEqual(['1000000000', '1000000001', '1000000002']);
});

test('whole numbers only when asked', () => {
  expect(labelsOf(1, 3, { integer: true })).toEqual(['1', '2', '3']);
  expect(labelsOf(0, 10, { integer: true })).not.toContain('2.5');
  expect(labelsOf(1.9, 2.1, { integer: true })).toEqual(['2']);
  expect(labelsOf(1.2, 1.8, { integer: true })).toEqual([]);
  expect(labelsOf(1, 101, { integer: true })).toEqual(['20', '40', '60', '80', '100']);
});

test('a smaller target gives fewer ticks', () => {
  expect(labelsOf(0, 100, { target: 2 })).toEqual(['0', '100']);
});

test('a constant range has one tick at the value', () => {
  expect(niceTicks(2.5, 2.5)).toEqual([{ value: 2.5, label: '2.5' }]);
  expect(niceTicks(-0, -0)).toEqual([{ value: 0, label: '0' }]);
});

test('the tick of a constant range has a label of the usual number of digits, a whole number all of its own', () => {
  expect(niceTicks(2.861778509616852, 2.861778509616852)).toEqual([
    { value: 2.861778509616852, label: '2.862' },
  ]);
  expect(labelsOf(123_456, 123_456, { integer: true })).toEqual(['123456']);
});

test('what is no range has no ticks', () => {
  expect(niceTicks(Number.NaN, 1)).toEqual([]);
  expect(niceTicks(0, Number.POSITIVE_INFINITY)).toEqual([]);
  expect(niceTicks(2, 1)).toEqual([]);
});

test('a fraction is the place in the range, and the middle of a single value', () => {
  expect([3, 5, 9].map(value => toFraction(value, 3, 9))).toEqual([0, 1 / 3, 1]);
  expect(toFraction(4, 4, 4)).toBe(0.5);
  expect([-WIDEST, 0, WIDEST].map(value => toFraction(value, -WIDEST, WIDEST))).toEqual([0, 0.5, 1]);
});
