import { describe, expect, it } from 'vitest';
import { chartLines } from '../../cli/dashboard/drawing/chart-drawing.js';
import { unicodeGlyphs } from '../../cli/dashboard/terminal/glyphs.js';
import { cellChart } from '../../lib/console/index.js';
import { appendPoint, emptySeries } from '../../lib/console/series.js';

const seriesOf = (values: readonly number[]) =>
  values.reduce((all, value, step) => appendPoint(all, step, value), emptySeries);

function draw(
  training: readonly number[],
  evaluation: readonly number[] = [],
  size = { width: 12, height: 5 },
) {
  const pair = { training: seriesOf(training), evaluation: seriesOf(evaluation) };
  const chart = cellChart(pair, { ...size, isLog: false, isSmooth: false, isFine: true });
  return chartLines(chart, null, unicodeGlyphs).map(row => row.map(({ text }) => text).join(''));
}

describe('a line in braille', () => {
  it('is two columns and four rows of dots in a cell', () => {
    expect(draw([0, 1, 2, 3, 4, 5, 6, 7])).toEqual([
      '7┤        ⢀⡠',
      ' ┤     ⢀⠤⠊⠁ ',
      ' ┤  ⡠⠔⠊⠁    ',
      '0┤⠒⠉        ',
      '  0     5',
    ]);
  });

  it('shows every minimum and maximum, however many points share a column', () => {
    const values = Array.from({ length: 5000 }, (_, index) => (index === 2500 ? 9 : index === 2600 ? -3 : 3));
    const text = draw(values, [], { width: 30, height: 8 });
    const dots = text.map(row => [...row].filter(sign => /[\u2801-\u28ff]/.test(sign)).length);
    expect(dots[0]).toBeGreaterThan(0);
    expect(dots.at(-2)).toBeGreaterThan(0);
  });

  it('of equal values is level', () => {
    const [row] = draw([2, 2, 2, 2]).filter(line => /[\u2801-\u28ff]/.test(line));
    expect(new Set([...row!.split('┤')[1]!]).size).toBe(1);
  });

  it('of the evaluation is dashed, with a mark at each point', () => {
    const text = draw([], [4, 3, 2], { width: 40, height: 6 }).join('\n');
    expect(text.match(/●/g)).toHaveLength(3);
    const plot = draw([], [4, 4, 4], { width: 40, height: 6 }).find(row => row.includes('●'))!;
    expect(plot.split('┤')[1]).toContain(' ');
  });
});
