import { describe, expect, it } from 'vitest';
import { type CellChart, cellChart, columnOfStep, type SeriesPair } from '../../lib/console/index.js';
import { appendPoint, emptySeries, type MetricSeries } from '../../lib/console/series.js';

type Points = [step: number, value: number][];

const seriesOf = (points: Points): MetricSeries =>
  points.reduce((series, [step, value]) => appendPoint(series, step, value), emptySeries);
const pairOf = (training: Points, evaluation: Points = []): SeriesPair => ({
  training: seriesOf(training),
  evaluation: seriesOf(evaluation),
});
const draw = (pair: SeriesPair, options = {}): CellChart =>
  cellChart(pair, { width: 40, height: 10, isLog: false, isSmooth: false, ...options });

describe('a chart on cells', () => {
  it('waits until there is a value of either kind', () => {
    expect(draw(pairOf([]))).toMatchObject({ waiting: true, lines: [], marks: [], xLabels: '' });
    expect(draw(pairOf([], [[1, 2]])).waiting).toBe(false);
  });

  it('has the greatest value in the top row, the least in the bottom row, others between', () => {
    const { lines, rows } = draw(
      pairOf([
        [1, 5],
        [2, 3],
        [3, 9],
      ]),
    );
    const [line] = lines;
    expect(rows).toBe(9);
    expect(Math.max(...line!.rows)).toBe(8);
    expect(Math.min(...line!.rows)).toBe(0);
    expect(line!.rows[0]).toBe(Math.round(8 / 3));
  });

  it('places points by their step, not by their number', () => {
    const chart = draw(
      pairOf([
        [1, 5],
        [2, 3],
        [101, 9],
      ]),
    );
    expect(columnOfStep(chart, 1)).toBe(0);
    expect(columnOfStep(chart, 101)).toBe(chart.columns - 1);
    expect(columnOfStep(chart, 2)).toBe(0);
    expect(chart.lines[0]!.spans).toEqual([{ column: 0, low: 0, high: Math.round(8 / 3) }]);
  });

  it('draws a straight line where no point is', () => {
    const { lines, columns, rows } = draw(
      pairOf([
        [0, 0],
        [10, 1],
      ]),
    );
    expect(lines[0]!.rows).toHaveLength(columns);
    expect(lines[0]!.rows[Math.floor(columns / 2)]).toBeCloseTo(rows / 2, -1);
    expect([...lines[0]!.rows].sort((a, b) => a - b)).toEqual(lines[0]!.rows);
  });

  it('draws one value in the middle, without a number that is none', () => {
    const chart = draw(pairOf([[5, 2]]));
    expect(chart.lines[0]!.rows).toEqual([4]);
    expect(JSON.stringify(chart)).not.toMatch(/NaN|null,null/);
  });

  it('keeps the extremes of steps that share a column', () => {
    const noisy = Array.from({ length: 5000 }, (_, step): [number, number] => [
      step,
      step === 2500 ? 8 : step % 2,
    ]);
    const { lines, rows } = draw(pairOf(noisy));
    expect(Math.max(...lines[0]!.spans.map(({ high }) => high))).toBe(rows - 1);
    expect(Math.min(...lines[0]!.spans.map(({ low }) => low))).toBe(0);
  });

  it('knows how far a column reaches, whatever came last in it', () => {
    const { lines, rows } = draw(
      pairOf([
        [0, 5],
        [1, 1],
        [2, 9],
        [3, 5],
        [1000, 5],
      ]),
    );
    expect(lines[0]!.spans).toEqual([{ column: 0, low: 0, high: rows - 1 }]);
    expect(lines[0]!.rows[0]).toBe((rows - 1) / 2);
  });

  it('comes into a column at its first value, and leaves the last one at its last', () => {
    const { lines, columns } = draw(
      pairOf([
        [0, 8],
        [1, 6],
        [500, 4],
        [999, 2],
        [1000, 0],
      ]),
    );
    const [line] = lines;
    expect([line!.rows[0], line!.rows.at(-1), line!.end]).toEqual([8, 2, 0]);
    expect(line!.rows[1]).toBe(6);
    expect(line!.rows).toHaveLength(columns);
  });

  it('marks each value of the evaluation, and names it in the legend from the first on', () => {
    const chart = draw(
      pairOf(
        [
          [1, 1],
          [11, 0],
        ],
        [
          [1, 1],
          [11, 0.5],
        ],
      ),
    );
    expect(chart.marks).toEqual([
      { name: 'evaluation', column: 0, row: 8 },
      { name: 'evaluation', column: chart.columns - 1, row: 4 },
    ]);
    expect(chart.legend).toEqual(['training', 'evaluation']);
    expect(draw(pairOf([[1, 1]])).legend).toEqual(['training']);
  });
});

describe('the axes', () => {
  it('have labels of one width, at most one a row', () => {
    for (const points of [
      [
        [1, 0.5],
        [2, 12.25],
      ],
      [
        [1, 0.0001],
        [2, 0.00012],
      ],
      [
        [1, -5],
        [2, 1e6],
      ],
    ] as Points[]) {
      const { yLabels, columns, rows } = draw(pairOf(points));
      expect(yLabels).toHaveLength(rows);
      expect(new Set(yLabels.map(label => label.length)).size).toBe(1);
      expect(yLabels.filter(label => label.trim() !== '').length).toBeGreaterThan(1);
      expect(columns + yLabels[0]!.length + 1).toBe(40);
    }
  });

  it('have steps below, which stay within the chart', () => {
    const { xLabels, columns } = draw(
      pairOf([
        [0, 1],
        [300, 2],
      ]),
      { width: 44 },
    );
    expect(xLabels).toMatch(/^0 +\d/);
    expect(xLabels.length).toBeLessThanOrEqual(columns);
    expect(xLabels.trim().split(/ +/)).toContain('300');
  });

  it('are round in their steps, and not few in a narrow chart', () => {
    const stepsOf = (last: number, width: number) =>
      draw(
        pairOf([
          [1, 1],
          [last, 2],
        ]),
        { width },
      )
        .xLabels.trim()
        .split(/ +/);
    expect(stepsOf(60, 40)).toEqual(['10', '20', '30', '40', '50', '60']);
    expect(stepsOf(300, 40)).toEqual(['50', '100', '150', '200', '250', '300']);
    expect(stepsOf(200_000, 40)).toEqual(['100000', '200000']);
    expect(stepsOf(60, 80)).toEqual(['10', '20', '30', '40', '50', '60']);
  });

  it('fit charts of any size', () => {
    for (let width = 1; width < 60; width++) {
      for (let height = 1; height < 8; height++) {
        const { columns, rows, lines, xLabels } = draw(
          pairOf(
            [
              [1, 5],
              [2, 3],
              [300, 9],
            ],
            [[7, 4]],
          ),
          { width, height },
        );
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
  const rising: Points = [
    [0, 1],
    [10, 100],
    [20, 10_000],
  ];
  const { lines, rows, columns, note } = draw(pairOf(rising), { isLog: true, zoom: { from: 5, to: 15 } });
  const [line] = lines;
  expect([line!.start, line!.rows.length]).toEqual([0, columns]);
  expect([line!.rows[0], line!.rows[Math.floor(columns / 2)], line!.end]).toEqual([
    0,
    (rows - 1) / 2,
    rows - 1,
  ]);
  expect(note).toBeNull();
});

describe('a logarithmic scale', () => {
  it('places equal ratios at equal distances', () => {
    const { lines, rows, columns } = draw(
      pairOf([
        [0, 100],
        [1, 10],
        [2, 1],
      ]),
      { isLog: true },
    );
    expect(lines[0]!.rows[Math.round((columns - 1) / 2)]).toBe((rows - 1) / 2);
  });

  it('has labels at equal ratios between its ends', () => {
    const { yLabels } = draw(
      pairOf([
        [0, 0.05],
        [1, 200],
      ]),
      { isLog: true, height: 6 },
    );
    expect(yLabels.map(label => label.trim())).toEqual(['200', '25.1', '3.16', '0.398', '0.05']);
  });

  it('leaves out what it has no place for, and says so', () => {
    const chart = draw(
      pairOf([
        [0, 10],
        [1, 0],
        [2, 1],
      ]),
      { isLog: true },
    );
    expect(chart.note).toBe('1 value at or below 0 not shown');
    expect(Math.min(...chart.lines[0]!.rows)).toBe(0);
  });

  it('stays linear when nothing is above 0', () => {
    const chart = draw(
      pairOf([
        [0, -1],
        [1, 0],
      ]),
      { isLog: true },
    );
    expect(chart.note).toBe('No values above 0: using a linear scale.');
    expect(chart.lines[0]!.rows.at(-1)).toBe(chart.rows - 1);
  });

  it('is no matter for a linear chart', () => {
    expect(
      draw(
        pairOf([
          [0, 0],
          [1, 1],
        ]),
      ).note,
    ).toBeNull();
  });
});

describe('smoothing', () => {
  it('keeps the raw line behind the smoothed one', () => {
    const pair = pairOf([
      [0, 0],
      [1, 10],
      [2, 0],
      [3, 10],
    ]);
    const { lines } = draw(pair, { isSmooth: true });
    expect(lines.map(({ name }) => name)).toEqual(['raw', 'training']);
    expect(lines[0]!.rows).toEqual(draw(pair).lines[0]!.rows);
    expect(lines[1]!.rows).not.toEqual(lines[0]!.rows);
  });

  it('on a logarithmic scale smooths the logarithms', () => {
    const falling = pairOf(Array.from({ length: 30 }, (_, step) => [step, 10 ** (-step / 7)]));
    const { lines, smoothed } = draw(falling, { isSmooth: true, isLog: true });
    expect(lines.at(-1)!.end).toBeLessThan(2);
    expect(smoothed!.values[29]! / 10 ** (-29 / 7)).toBeLessThan(3);
    expect(draw(falling).smoothed).toBeNull();
  });

  it('leaves the evaluation as it is', () => {
    const pair = pairOf(
      [
        [0, 0],
        [3, 10],
      ],
      [
        [0, 1],
        [3, 9],
      ],
    );
    const evaluationOf = (isSmooth: boolean) =>
      draw(pair, { isSmooth }).lines.find(({ name }) => name === 'evaluation');
    expect(evaluationOf(true)).toEqual(evaluationOf(false));
  });

  it('has the training before the evaluation, whose points alone were measured, and both before the raw line', () => {
    const points: [number, number][] = [
      [0, 4],
      [1, 2],
    ];
    const namesOf = (isSmooth: boolean) =>
      draw(pairOf(points, points), { isSmooth }).lines.map(({ name }) => name);
    expect(namesOf(false)).toEqual(['evaluation', 'training']);
    expect(namesOf(true)).toEqual(['raw', 'evaluation', 'training']);
  });
});
