import { describe, expect, it } from 'vitest';
import { toRowScale } from '../../lib/console/chart/cell-grid.js';
import type { ValueScale } from '../../lib/console/chart/value-axis.js';

const HEIGHTS = [2, 3, 4, 5, 6, 8, 9, 11, 18, 34];

/** Of any place and size that a loss has. */
function* ranges(): Generator<ValueScale> {
  for (let min = 0.001; min < 30; min *= 3.7) {
    for (let ratio = 1.002; ratio < 40_000; ratio *= 1.53) {
      yield { isLog: false, min, max: min * ratio };
      yield { isLog: true, min, max: min * ratio };
    }
  }
  for (let max = 0.01; max < 1000; max *= 3.7) yield { isLog: false, min: -max / 3, max };
}

const charts = [...ranges()].flatMap(range =>
  HEIGHTS.map(rows => ({ ...range, rows, scale: toRowScale(range, rows) })),
);
type Chart = (typeof charts)[number];

/** Those of which it is not so. */
function exceptions(isSo: (chart: Chart) => boolean) {
  return charts
    .filter(chart => !isSo(chart))
    .map(({ scale, ...rest }) => ({ ...rest, labels: scale.labels }));
}

/** From the top. */
const labelsOf = (range: Partial<ValueScale>, rows: number, format?: (value: number) => string) =>
  toRowScale({ isLog: false, min: 0, max: 1, ...range }, rows, format).labels.toReversed();

describe('the labels beside the rows', () => {
  it('are one for each row and true for it, each once, the lowest and the highest always', () => {
    const isTrue = ({ scale, rows }: Chart) =>
      scale.labels.length === rows &&
      scale.labels.every((label, row) => label === '' || scale.rowOf(Number(label)) === row);
    expect(exceptions(isTrue)).toEqual([]);
    const isOnce = ({ scale: { labels }, rows }: Chart) => {
      const said = labels.filter(Boolean);
      return new Set(said).size === said.length && labels[0] !== '' && labels[rows - 1] !== '';
    };
    expect(exceptions(isOnce)).toEqual([]);
  });

  it.each<[Partial<ValueScale>, string[]]>([
    [{ min: 0.0006, max: 3.136 }, ['3.136', '2.61', '2.09', '1.57', '1.05', '0.52', '0.0006']],
    [{ min: 20, max: 80 }, ['80', '70', '60', '50', '40', '30', '20']],
    [{ min: 1.15, max: 1.25 }, ['1.25', '1.233', '1.217', '1.200', '1.183', '1.167', '1.15']],
    [{ min: 0.01, max: 10_000, isLog: true }, ['10000', '1000', '100', '10', '1', '0.1', '0.01']],
    [{ min: 0.05, max: 200, isLog: true }, ['200', '50.2', '12.6', '3.16', '0.794', '0.199', '0.05']],
    [{ min: 0.7, max: 0.7 }, ['', '', '', '0.7', '', '', '']],
  ])('of %o are its ends as they are, and the values between', (range, labels) => {
    expect(labelsOf(range, 7)).toEqual(labels);
  });

  it('are written as they are to be', () => {
    const format = (value: number) => `${Math.round(value)} MB`;
    expect(labelsOf({ min: 100, max: 102 }, 5, format)).toEqual(['102 MB', '', '', '101 MB', '100 MB']);
    expect(labelsOf({ min: 5, max: 5 }, 3, format)).toEqual(['', '5 MB', '']);
  });
});

it('the rows of values begin at the bottom, end at the top, and rise with the values', () => {
  const isRising = ({ scale, min, max, rows }: Chart) => {
    const parts = Array.from({ length: 20 }, (_, part) => min + ((max - min) * part) / 19);
    const all = parts.map(value => scale.rowOf(value));
    return all[0] === 0 && all.at(-1) === rows - 1 && all.every((row, at) => at === 0 || row >= all[at - 1]!);
  };
  expect(exceptions(isRising)).toEqual([]);
});

it.each([
  [-Number.MAX_VALUE, Number.MAX_VALUE],
  [0, Number.MIN_VALUE],
  [1, 1 + Number.EPSILON],
  [1e300, 1.0000000000000002e300],
])('the rows of values are within the chart also between %f and %f', (min, max) => {
  for (const rows of HEIGHTS) {
    const scale = toRowScale({ isLog: false, min, max }, rows);
    expect([scale.rowOf(min), scale.rowOf(max)]).toEqual([0, rows - 1]);
    expect(scale.labels.join()).not.toMatch(/NaN|undefined/);
  }
});
