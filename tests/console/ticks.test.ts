import { expect, test } from 'vitest';
import { niceTicks, toFraction } from '../../lib/console/chart/ticks.js';

const WIDEST = Number.MAX_VALUE;
const labelsOf = (...range: Parameters<typeof niceTicks>) => niceTicks(...range).map(({ label }) => label);

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

test.each([
  [0.13, 0.71, {}, '0.2 0.3 0.4 0.5 0.6 0.7'],
  [-3, -1.2, {}, '-3.0 -2.5 -2.0 -1.5'],
  [0, 10, {}, '0 2 4 6 8 10'],
  [0, 0.3, {}, '0.0 0.1 0.2 0.3'],
  [0.1, 0.5, {}, '0.1 0.2 0.3 0.4 0.5'],
  [-1, 0, {}, '-1.0 -0.8 -0.6 -0.4 -0.2 0.0'],
  [0, 400, {}, '0 100 200 300 400'],
  [-5e-5, 5e-5, {}, '-4e-5 -2e-5 0 2e-5 4e-5'],
  [1e22, 9e22, {}, '2e22 4e22 6e22 8e22'],
  [0, 100, { target: 2 }, '0 100'],
  [1e9, 1e9 + 2, { integer: true }, '1000000000 1000000001 1000000002'],
  [1, 3, { integer: true }, '1 2 3'],
  [1.9, 2.1, { integer: true }, '2'],
  [1.2, 1.8, { integer: true }, ''],
  [1, 101, { integer: true }, '20 40 60 80 100'],
  [123_456, 123_456, { integer: true }, '123456'],
  [2, 1, {}, ''],
])(
  'from %d to %d with %j, labels are rounded, inside, with just the decimals needed',
  (from, to, options, ticks) => expect(labelsOf(from, to, options).join(' ')).toBe(ticks),
);

test('a constant range has one tick at the value, and what is no range has none', () => {
  expect(niceTicks(2.861778509616852, 2.861778509616852)).toEqual([
    { value: 2.861778509616852, label: '2.862' },
  ]);
  expect(niceTicks(-0, -0)).toEqual([{ value: 0, label: '0' }]);
  expect([niceTicks(Number.NaN, 1), niceTicks(0, Number.POSITIVE_INFINITY)]).toEqual([[], []]);
});

test('a fraction is the place in the range, and the middle of a single value', () => {
  expect([3, 5, 9].map(value => toFraction(value, 3, 9))).toEqual([0, 1 / 3, 1]);
  expect(toFraction(4, 4, 4)).toBe(0.5);
  expect([-WIDEST, 0, WIDEST].map(value => toFraction(value, -WIDEST, WIDEST))).toEqual([0, 0.5, 1]);
});
