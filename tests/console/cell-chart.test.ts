import { describe, expect, it } from 'vitest';
import { columnOfStep } from '../../lib/console/chart/cell-grid.js';
import { type CellChart, cellChart, type SeriesPair } from '../../lib/console/index.js';
import { pairOf } from './support/series-of.js';

const draw = (pair: SeriesPair, options = {}): CellChart =>
  cellChart(pair, { width: 40, height: 10, isLog: false, isSmooth: false, ...options });

describe('a chart on cells', () => {
  it('waits until there is a value of either kind', () => {
    expect(draw(pairOf({}))).toMatchObject({ waiting: true, lines: [], marks: [], xLabels: '' });
    expect(draw(pairOf({}, { 1: 2 })).waiting).toBe(false);
  });

  it('places points by value, the greatest at the top, and by step, not by number', () => {
    const { lines, rows } = draw(pairOf({ 1: 5, 2: 3, 3: 9 }));
    expect([rows, Math.max(...lines[0]!.rows), Math.min(...lines[0]!.rows)]).toEqual([9, 8, 0]);
    expect(lines[0]!.rows[0]).toBe(Math.round(8 / 3));
    const chart = draw(pairOf({ 1: 5, 2: 3, 101: 9 }));
    expect([1, 2, 101].map(step => columnOfStep(chart, step))).toEqual([0, 0, chart.columns - 1]);
    expect(chart.lines[0]!.spans).toEqual([{ column: 0, low: 0, high: Math.round(8 / 3) }]);
  });

  it('draws a straight line where no point is, and one value in the middle', () => {
    const { lines, columns, rows } = draw(pairOf({ 0: 0, 10: 1 }));
    expect(lines[0]!.rows).toHaveLength(columns);
    expect(lines[0]!.rows[Math.floor(columns / 2)]).toBeCloseTo(rows / 2, -1);
    expect([...lines[0]!.rows].sort((a, b) => a - b)).toEqual(lines[0]!.rows);
    const chart = draw(pairOf({ 5: 2 }));
    expect(chart.lines[0]!.rows).toEqual([4]);
    expect(JSON.stringify(chart)).not.toMatch(/NaN|null,null/);
  });

  it('keeps the extremes of steps that share a column, whatever came last in it', () => {
    const values = Array.from({ length: 5000 }, (_, step) => (step === 2500 ? 8 : step % 2));
    const { lines, rows } = draw(pairOf({ ...values }));
    expect(Math.max(...lines[0]!.spans.map(({ high }) => high))).toBe(rows - 1);
    expect(Math.min(...lines[0]!.spans.map(({ low }) => low))).toBe(0);
    const [line] = draw(pairOf({ 0: 5, 1: 1, 2: 9, 3: 5, 1000: 5 })).lines;
    expect(line!.spans).toEqual([{ column: 0, low: 0, high: rows - 1 }]);
    expect(line!.rows[0]).toBe((rows - 1) / 2);
  });

  it('comes into a column at its first value, and leaves the last one at its last', () => {
    const { lines, columns } = draw(pairOf({ 0: 8, 1: 6, 500: 4, 999: 2, 1000: 0 }));
    const { rows, end } = lines[0]!;
    expect([rows[0], rows[1], rows.at(-1), end, rows.length]).toEqual([8, 6, 2, 0, columns]);
  });

  it('marks each value of the evaluation, and names it in the legend from the first on', () => {
    const chart = draw(pairOf({ 1: 1, 11: 0 }, { 1: 1, 11: 0.5 }));
    expect(chart.marks).toEqual([
      { name: 'evaluation', column: 0, row: 8 },
      { name: 'evaluation', column: chart.columns - 1, row: 4 },
    ]);
    expect(chart.legend).toEqual(['training', 'evaluation']);
    expect(draw(pairOf({ 1: 1 })).legend).toEqual(['training']);
  });
});

describe('the axes', () => {
  it.each([
    [0.5, 12.25],
    [0.0001, 0.00012],
    [-5, 1e6],
  ])('have labels of one width between %f and %f, at most one a row', (from, to) => {
    const { yLabels, columns, rows } = draw(pairOf({ 1: from, 2: to }));
    expect(yLabels).toHaveLength(rows);
    expect(new Set(yLabels.map(label => label.length)).size).toBe(1);
    expect(yLabels.filter(label => label.trim() !== '').length).toBeGreaterThan(1);
    expect(columns + yLabels[0]!.length + 1).toBe(40);
  });

  it('have round steps below, not few in a narrow chart, which stay within it', () => {
    const { xLabels, columns } = draw(pairOf({ 0: 1, 300: 2 }), { width: 44 });
    expect(xLabels).toMatch(/^0 +\d.* 300 *$/);
    expect(xLabels.length).toBeLessThanOrEqual(columns);
    const stepsOf = (last: number, width: number) =>
      draw(pairOf({ 1: 1, [last]: 2 }), { width })
        .xLabels.trim()
        .replace(/ +/g, ' ');
    expect([stepsOf(60, 40), stepsOf(60, 80)]).toEqual(['10 20 30 40 50 60', '10 20 30 40 50 60']);
    expect([stepsOf(300, 40), stepsOf(200_000, 40)]).toEqual(['50 100 150 200 250 300', '100000 200000']);
  });

  it('fit charts of any size', () => {
    for (let width = 1; width < 60; width++) {
      for (let height = 1; height < 8; height++) {
        const pair = pairOf({ 1: 5, 2: 3, 300: 9 }, { 7: 4 });
        const { columns, rows, lines, xLabels } = draw(pair, { width, height });
        expect(rows).toBe(Math.max(2, height - 1));
        expect(xLabels.length).toBeLessThanOrEqual(columns);
        for (const { start, rows: line } of lines) {
          expect(start + line.length).toBeLessThanOrEqual(columns);
          expect(line.every(row => row >= 0 && row < rows)).toBe(true);
        }
      }
    }
  });
});

it('shows in a zoom how the line rises through its only point', () => {
  const rising = pairOf({ 0: 1, 10: 100, 20: 10_000 });
  const { lines, rows, columns, note } = draw(rising, { isLog: true, zoom: { from: 5, to: 15 } });
  const line = lines[0]!;
  expect([line.start, line.rows.length, note]).toEqual([0, columns, null]);
  const middle = line.rows[Math.floor(columns / 2)];
  expect([line.rows[0], middle, line.end]).toEqual([0, (rows - 1) / 2, rows - 1]);
});

describe('a logarithmic scale', () => {
  it('places equal ratios at equal distances, with labels at equal ratios between its ends', () => {
    const { lines, rows, columns } = draw(pairOf({ 0: 100, 1: 10, 2: 1 }), { isLog: true });
    expect(lines[0]!.rows[Math.round((columns - 1) / 2)]).toBe((rows - 1) / 2);
    const { yLabels } = draw(pairOf({ 0: 0.05, 1: 200 }), { isLog: true, height: 6 });
    expect(yLabels.map(label => label.trim())).toEqual(['200', '25.1', '3.16', '0.398', '0.05']);
  });

  it('leaves out what it has no place for, says so, and stays linear for nothing above 0', () => {
    const chart = draw(pairOf({ 0: 10, 1: 0, 2: 1 }), { isLog: true });
    expect(chart.note).toBe('1 value at or below 0 not shown');
    expect(Math.min(...chart.lines[0]!.rows)).toBe(0);
    expect(draw(pairOf({ 0: 0, 1: 1 })).note).toBeNull();
    const { note, lines, rows } = draw(pairOf({ 0: -1, 1: 0 }), { isLog: true });
    expect([note, lines[0]!.rows.at(-1)]).toEqual(['No values above 0: using a linear scale.', rows - 1]);
  });
});

describe('smoothing', () => {
  it('keeps the raw line behind the smoothed one', () => {
    const pair = pairOf({ 0: 0, 1: 10, 2: 0, 3: 10 });
    const { lines } = draw(pair, { isSmooth: true });
    expect(lines.map(({ name }) => name)).toEqual(['raw', 'training']);
    expect(lines[0]!.rows).toEqual(draw(pair).lines[0]!.rows);
    expect(lines[1]!.rows).not.toEqual(lines[0]!.rows);
  });

  it('on a logarithmic scale smooths the logarithms', () => {
    const falling = pairOf({ ...Array.from({ length: 30 }, (_, step) => 10 ** (-step / 7)) });
    const { lines, smoothed } = draw(falling, { isSmooth: true, isLog: true });
    expect(lines.at(-1)!.end).toBeLessThan(2);
    expect(smoothed!.values[29]! / 10 ** (-29 / 7)).toBeLessThan(3);
    expect(draw(falling).smoothed).toBeNull();
  });

  it('leaves the evaluation as it is, behind the training and before the raw line', () => {
    const [plain, smooth] = [false, true].map(
      isSmooth => draw(pairOf({ 0: 0, 3: 10 }, { 0: 1, 3: 9 }), { isSmooth }).lines,
    );
    expect(plain!.map(({ name }) => name)).toEqual(['evaluation', 'training']);
    expect(smooth!.map(({ name }) => name)).toEqual(['raw', 'evaluation', 'training']);
    expect(smooth![1]).toEqual(plain![0]);
  });
});
