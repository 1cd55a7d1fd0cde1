import { expect, it } from 'vitest';
import { stepByColumns } from '../../lib/console/index.js';
import { appendPoint, emptySeries } from '../../lib/console/series.js';

const pairOf = (steps: number[]) => ({
  training: steps.reduce((series, step) => appendPoint(series, step, 1), emptySeries),
  evaluation: emptySeries,
});

it('moves by a column where several steps share one', () => {
  const pair = pairOf(Array.from({ length: 1001 }, (_, step) => step));
  const grid = { columns: 101, minStep: 0, maxStep: 1000 };
  expect(stepByColumns(pair, 500, 1, grid)).toBe(510);
  expect(stepByColumns(pair, 500, -10, grid)).toBe(400);
});

it('moves to the next step where they are further apart', () => {
  const pair = pairOf([10, 20, 40]);
  const grid = { columns: 101, minStep: 10, maxStep: 40 };
  expect(stepByColumns(pair, 20, 1, grid)).toBe(40);
  expect(stepByColumns(pair, 20, -1, grid)).toBe(10);
});

it('stops at the ends', () => {
  const pair = pairOf([10, 20]);
  const grid = { columns: 5, minStep: 10, maxStep: 20 };
  expect(stepByColumns(pair, 20, 1, grid)).toBeNull();
  expect(stepByColumns(pair, 10, -10, grid)).toBeNull();
  expect(stepByColumns(pair, 10, 10, grid)).toBe(20);
});
