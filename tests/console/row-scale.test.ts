import { describe, expect, it } from 'vitest';
import { type RowScale, toRowScale } from '../../lib/console/row-scale.js';
import type { ValueScale } from '../../lib/console/value-axis.js';

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
  return charts.filter(chart => !isSo(chart)).map(({ scale, ...rest }) => ({ ...rest, ticks: scale.ticks }));
}

function gapsOf({ ticks }: RowScale): number[] {
  const rows = ticks.map(({ row }) => row).sort((a, b) => a - b);
  return rows.slice(1).map((row, index) => row - rows[index]!);
}

const labelsOf = (range: ValueScale, rows: number): string[] => {
  const { ticks } = toRowScale(range, rows);
  return Array.from(
    { length: rows },
    (_, index) => ticks.find(({ row }) => row === rows - 1 - index)?.label ?? '',
  );
};

describe('the labels beside the rows', () => {
  it('are equally many rows apart, whatever the height', () => {
    expect(exceptions(({ scale }) => new Set(gapsOf(scale)).size <= 1)).toEqual([]);
  });

  it('are true for their rows', () => {
    const isTrue = ({ scale }: Chart) =>
      scale.ticks.every(({ row, label }) => scale.rowOf(Number(label)) === row);
    expect(exceptions(isTrue)).toEqual([]);
  });

  it('are two at least where there is room, and never more than rows', () => {
    const isEnough = ({ scale: { ticks }, rows }: Chart) =>
      ticks.length >= (rows < 6 ? 1 : 2) && ticks.length <= rows;
    expect(exceptions(isEnough)).toEqual([]);
  });

  it('are round on a linear scale', () => {
    expect(labelsOf({ isLog: false, min: 0.05, max: 7.25 }, 8)).toEqual(['', '6', '', '4', '', '2', '', '0']);
    expect(labelsOf({ isLog: false, min: 0.05, max: 7.25 }, 6)).toEqual(['', '6', '', '3', '', '0']);
    expect(labelsOf({ isLog: false, min: 1.4, max: 3.1 }, 10)).toEqual([
      '3.2',
      '',
      '2.8',
      '',
      '2.4',
      '',
      '2.0',
      '',
      '1.6',
      '',
    ]);
  });

  it('are powers of ten on a logarithmic scale, or of two where there are few of them', () => {
    expect(labelsOf({ isLog: true, min: 0.05, max: 200 }, 9)).toEqual([
      '',
      '100',
      '',
      '10',
      '',
      '1',
      '',
      '0.1',
      '',
    ]);
    expect(labelsOf({ isLog: true, min: 0.5, max: 8 }, 9)).toEqual([
      '8',
      '',
      '4',
      '',
      '2',
      '',
      '1',
      '',
      '0.5',
    ]);
    expect(labelsOf({ isLog: true, min: 1.15, max: 1.25 }, 6)).toEqual(['', '1.23', '', '1.19', '', '1.15']);
  });

  it('are one for a single value', () => {
    expect(labelsOf({ isLog: false, min: 0.7, max: 0.7 }, 5)).toEqual(['', '', '0.7', '', '']);
  });
});

describe('the rows of values', () => {
  it('begin at the bottom, stay within the chart, and use most of it', () => {
    const isWithin = ({ scale, min, max, rows }: Chart) =>
      scale.rowOf(min) === 0 && scale.rowOf(max) < rows && scale.rowOf(max) >= ((rows - 1) * 2) / 3;
    expect(exceptions(isWithin)).toEqual([]);
  });

  it('rise with the values', () => {
    const isRising = ({ scale, min, max }: Chart) =>
      Array.from({ length: 20 }, (_, part) => scale.rowOf(min + ((max - min) * part) / 19)).every(
        (row, index, all) => index === 0 || row >= all[index - 1]!,
      );
    expect(exceptions(isRising)).toEqual([]);
  });

  it.each([
    [-Number.MAX_VALUE, Number.MAX_VALUE],
    [0, Number.MIN_VALUE],
    [1, 1 + Number.EPSILON],
    [1e300, 1.0000000000000002e300],
  ])('are within the chart also between %f and %f', (min, max) => {
    for (const rows of HEIGHTS) {
      const scale = toRowScale({ isLog: false, min, max }, rows);
      expect([scale.rowOf(min), scale.rowOf(max)]).toEqual([0, rows - 1]);
      expect(scale.ticks.length).toBeGreaterThan(0);
    }
  });
});
