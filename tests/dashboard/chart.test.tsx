// A chart as a person sees it: asciichart's curves, and what is laid over them.
import { stripVTControlCharacters } from 'node:util';
import chalk from 'chalk';
import { Box } from 'ink';
import { render } from 'ink-testing-library';
import type { ReactElement } from 'react';
import { describe, expect, it } from 'vitest';
import { CellPicture, LossChart } from '../../cli/dashboard/components/chart.js';
import { LookContext } from '../../cli/dashboard/terminal/look.js';
import {
  asciiGlyphs,
  cellChart,
  comparedCells,
  displayWidth,
  runPen,
  unicodeGlyphs,
} from '../../lib/console/index.js';
import { appendPoint, emptySeries, type MetricSeries } from '../../lib/console/series.js';
import { styleAt } from './support/style-at.js';

// In a test, the terminal has no colors by itself.
chalk.level = 1;

/** Values at the steps 0, 1, 2 and so on, or points with their steps. */
type Points = readonly (number | readonly [step: number, value: number])[];
const at = (steps: readonly number[], values: readonly number[]): Points =>
  steps.map((step, index) => [step, values[index]!]);
const seriesOf = (points: Points): MetricSeries =>
  points.reduce<MetricSeries>((all, point, index) => {
    const [step, value] = typeof point === 'number' ? [index, point] : point;
    return appendPoint(all, step, value);
  }, emptySeries);

interface LookOptions {
  isUnicode?: boolean;
  isColored?: boolean;
}

function show(chart: ReactElement, { isUnicode = true, isColored = true }: LookOptions = {}) {
  const look = { isColored, isUnicode, glyphs: isUnicode ? unicodeGlyphs : asciiGlyphs };
  const app = render(
    <LookContext.Provider value={look}>
      <Box>{chart}</Box>
    </LookContext.Provider>,
  );
  const picture = app.lastFrame()!;
  app.unmount();
  return { picture, rows: stripVTControlCharacters(picture).split('\n') };
}

interface DrawOptions extends Partial<Parameters<typeof cellChart>[1]>, LookOptions {
  cursor?: number | null;
  isScore?: boolean;
}

function draw(training: Points, evaluation: Points = [], options: DrawOptions = {}) {
  const { cursor = null, isScore = false, isUnicode, isColored, ...cells } = options;
  const pair = { training: seriesOf(training), evaluation: seriesOf(evaluation) };
  const size = { width: 40, height: 9, isLog: false, isSmooth: false };
  const chart = cellChart(pair, { ...size, ...cells });
  return { chart, ...show(<LossChart chart={chart} cursor={cursor} isScore={isScore} />, options) };
}

const fall = (steps: number) => Array.from({ length: steps }, (_, step) => 0.05 + 7.2 * Math.exp(-step / 6));
/** Without the labels and the axis. */
const plotOf = (rows: readonly string[]) => rows.slice(0, -1).map(row => row.replace(/^.*?[┤┼]/, ''));
const labelsOf = (rows: readonly string[]) => rows.slice(0, -1).map(row => /^ *([\d.]*)/.exec(row)![1]);

describe('the curve', () => {
  it('falls steeply as one line, however many steps share a column', () => {
    expect(draw(fall(300)).rows).toEqual([
      '7.25┼╮',
      ' 6.2┤│',
      ' 5.2┤│',
      ' 4.2┤│',
      ' 3.1┤╰╮',
      ' 2.1┤ │',
      ' 1.1┤ ╰╮',
      '0.05┤  ╰────────────────────────────────',
      '     0    50   100   150   200  250',
    ]);
    for (const steps of [20, 77, 300, 5000])
      for (const isLog of [false, true])
        expect(draw(fall(steps), [], { width: 60, height: 14, isLog }).rows.join('\n')).not.toMatch(
          /[╷╵├┬┴╯╭]/,
        );
  });

  it('rises as steeply, to its end', () => {
    expect(plotOf(draw(fall(300).reverse(), [], { height: 7 }).rows)).toEqual([
      '                                  ╭',
      '                                  │',
      '                                 ╭╯',
      '                                 │',
      '                                ╭╯',
      '────────────────────────────────╯',
    ]);
  });

  it('shows a spike that the steps have, joined to the line that goes on from it', () => {
    const spike = draw([...fall(150), 7, ...fall(300).slice(151)], [], { height: 6 }).rows;
    expect(plotOf(spike)).toEqual([
      '╮                ╷',
      '│                │',
      '╰╮               │',
      ' │               │',
      ' ╰───────────────┴─────────────────',
    ]);
    const crowded: Points = at([0, 10, 20, 20, 20, 20, 30, 40], [3, 3, 3, 5, 1, 3, 3, 3]);
    expect(plotOf(draw(crowded, [], { width: 7, height: 6 }).rows)).toEqual([
      '  ╷',
      '  │',
      '──┼──',
      '  │',
      '  ╵',
    ]);
  });

  it.each(['5', '5 5', '5 4'])('is drawn of as few values as %s', text => {
    const values = text.split(' ').map(Number);
    expect(draw(values).rows.join('\n')).toMatch(/5[┤┼] *─/);
    expect(draw([], values).rows.join('').match(/●/g)).toHaveLength(values.length);
  });

  it('fits where there is hardly any room, and where there is nothing to draw', () => {
    for (const width of [1, 2, 3, 5, 8, 13])
      for (let height = 1; height < 6; height++)
        for (const isFine of [false, true])
          expect(
            draw(fall(30), at([20], [3]), { width, height, isFine, cursor: 20 }).rows.join(''),
          ).not.toMatch(/NaN|undefined/);
    expect(draw([]).rows.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => '┤'));
  });
});

describe('the labels', () => {
  it.each<[string, Points, DrawOptions, string[]]>([
    ['linear', [3.136, 2, 0.0006], {}, ['3.136', '2.69', '2.24', '1.79', '1.34', '0.90', '0.45', '0.0006']],
    [
      'logarithmic',
      [1000, 1, 0.0001],
      { isLog: true },
      ['1000', '100', '10', '1', '0.1', '0.01', '0.001', '0.0001'],
    ],
    [
      'without outliers',
      [...fall(60), 900],
      { ignoresOutliers: true, height: 4 },
      ['7.25', '3.7', '0.05039'],
    ],
    ['of equal values', [2, 2], { height: 4 }, ['', '2', '']],
  ])('are from the highest to the lowest value: %s', (_name, values, options, labels) => {
    for (const isFine of [false, true])
      expect(labelsOf(draw(values, [], { ...options, isFine }).rows)).toEqual(labels);
  });

  it('are few below', () => {
    expect(draw(fall(300)).rows.at(-1)!.trim().split(/ +/)).toEqual(['0', '50', '100', '150', '200', '250']);
  });
});

describe('the line of the evaluation', () => {
  /** From 1 to 3, with its own ups and downs. */
  const wave = (seed: number, count: number): number[] => [
    3,
    1,
    ...Array.from({ length: count }, (_, step) => 2 + Math.sin(seed * (step + 1) * 12.9898)),
  ];

  it('is dashed, with a point at each value', () => {
    const [level] = plotOf(draw([], at([0, 18, 36], [4, 4, 4]), { height: 2 }).rows).filter(row =>
      row.includes('●'),
    );
    expect(level).toMatch(/^●─ ── ── ─[─ ]+●[─ ]+●$/);
    expect(level!.match(/●/g)).toHaveLength(3);
  });

  it('never hides the training line, but for its points', () => {
    for (let seed = 1; seed < 9; seed++) {
      const options = { width: 50, height: 12, cursor: null };
      const training = wave(seed, 60);
      const evaluation = wave(seed + 0.5, 7).map((value, index): [number, number] => [index * 5 + 8, value]);
      const alone = plotOf(draw(training, [], options).rows);
      const both = plotOf(draw(training, evaluation, options).rows);
      alone.forEach((row, index) => {
        [...row].forEach((sign, column) => {
          if (sign !== ' ') expect([sign, '●'], both.join('\n')).toContain(both[index]![column]);
        });
      });
    }
  });

  it('has the values behind a smoothed line in its gaps', () => {
    const values = wave(3, 40);
    const points = wave(2, 5).map((value, index): [number, number] => [index * 6, value]);
    const options = { width: 50, height: 12, isSmooth: true };
    const behind = plotOf(draw(values, [], options).rows);
    const all = plotOf(draw(values, points, options).rows);
    behind.forEach((row, index) => {
      [...row].forEach((sign, column) => {
        if (sign !== ' ') expect(all[index]![column], all.join('\n')).not.toMatch(/[ ]/);
      });
    });
  });

  it('begins at its first point', () => {
    const { rows } = draw([1, 1, 1, 1, 1], at([2, 4], [3, 2]), { height: 6 });
    expect(rows[0]).toMatch(/^ *3┤ +●[─ ╮]*$/);
    expect(rows.filter(row => row.includes('┼'))).toHaveLength(1);
    const late = draw(at([2, 4], [3, 2]), at([0, 4], [1, 1]), { height: 6 }).rows;
    expect(late[0]).toMatch(/^ *3┤ {15,}─/);
    expect(late[4]).toMatch(/^ *1┼●─ ──/);
  });
});

describe('the cursor', () => {
  it('is a line through the empty cells, and inverts the others', () => {
    const { picture, rows } = draw([3, 3, 3, 1], at([1, 3], [2, 2]), { cursor: 1 });
    const column = rows[1]!.indexOf('┊');
    expect(rows.slice(0, -1).map(row => row[column])).toEqual(['─', '┊', '┊', '●', '┊', '┊', '┊', '┊']);
    expect(styleAt(picture, '┊')).toBe('bold');
    expect(styleAt(picture, '●')).toBe('inverse magenta');
    expect(draw([3, 1], [], { cursor: 7 }).rows.join('')).not.toContain('┊');
  });

  it.each([true, false])('is as wide and tall as the chart is made: dots %s', isFine => {
    for (const isSmooth of [false, true]) {
      const { rows } = draw(fall(60), at([0, 59], [4, 3]), { cursor: 20, isSmooth, isFine });
      expect([rows.length, Math.max(...rows.map(displayWidth))]).toEqual([9, 40]);
    }
  });
});

describe('the look', () => {
  const both: [Points, Points] = [fall(60), at([20, 40], [3, 2])];

  it('has a color for each line, and is dim for labels and for values behind a smoothed line', () => {
    const { picture } = draw([3, 1, 3, 1, 3, 1, 3, 1], at([2], [2]), { isSmooth: true });
    const styles = ['╭', '●', '┤', '5'].map(sign => styleAt(picture, sign));
    expect(styles).toEqual(['dim cyan', 'magenta', 'dim', 'dim']);
    expect(styleAt(draw(...both).picture, '╰')).toBe('cyan');
    expect(styleAt(draw([], [2, 1], { isScore: true }).picture, '◆')).toBe('blueBright');
  });

  it('has no color where there is none', () => {
    for (const isFine of [false, true]) {
      const { picture } = draw(...both, { isColored: false, isSmooth: true, cursor: 20, isFine });
      expect(['●', '50'].map(sign => styleAt(picture, sign))).toEqual(['inverse', 'dim']);
      for (const sign of new Set(stripVTControlCharacters(picture).replaceAll(/\s/g, '')))
        expect(styleAt(picture, sign)).not.toMatch(/cyan|magenta|gray|blue/);
    }
  });

  it('has ASCII for all of it', () => {
    const { rows } = draw(...both, { isUnicode: false, cursor: 40 });
    expect(rows.join('\n')).toMatch(/^[ -~\n]*$/);
    expect(rows.join('').match(/o/g)).toHaveLength(2);
    expect(rows[0]).toMatch(/^ *7\.25\+\./);
  });
});

it('draws several runs on one scale, each in its color', () => {
  const runs = ['4 2', '3 1', '2.5 2.5'].map((values, place) => ({
    ...{ key: `${place}`, label: '', place, isHidden: false },
    series: seriesOf(values.split(' ').map(Number)),
  }));
  const chart = comparedCells(runs, { width: 40, height: 8, isLog: false, isSmooth: false });
  const penOf = (name: string) => runPen(Number(name), unicodeGlyphs.runMarks);
  const { picture, rows } = show(<CellPicture chart={chart} cursor={null} penOf={penOf} />);
  expect([labelsOf(rows)[0], labelsOf(rows).at(-1)]).toEqual(['4', '1']);
  expect(['●', '■', '▲'].map(mark => styleAt(picture, mark))).toEqual(['blueBright', 'yellow', 'green']);
  expect(rows.filter(row => row.includes('┼'))).toHaveLength(3);
});

describe('a line in braille', () => {
  const size = { width: 12, height: 5, isFine: true };
  const BRAILLE = /[\u2801-\u28ff]/g;

  it('is two columns and four rows of dots in a cell', () => {
    expect(draw([0, 1, 2, 3, 4, 5, 6, 7], [], size).rows).toEqual([
      '  7┤      ⢀⠔',
      '4.7┤    ⣀⠔⠁',
      '2.3┤ ⢀⠔⠉',
      '  0┤⠊⠁',
      '    0    5',
    ]);
  });

  it('shows every minimum and maximum, however many points share a column', () => {
    const values = Array.from({ length: 5000 }, (_, index) => (index === 2500 ? 9 : index === 2600 ? -3 : 3));
    const { rows } = draw(values, [], { ...size, width: 30, height: 8 });
    for (const row of [rows[0]!, rows.at(-2)!]) expect(row).toMatch(BRAILLE);
  });

  it('of equal values is level, and of the evaluation dashed, with a mark at each point', () => {
    expect(new Set(draw([2, 2, 2, 2], [], size).rows.join('').match(BRAILLE)).size).toBe(1);
    const [level] = plotOf(draw([], [4, 4, 4], { ...size, width: 40 }).rows).filter(row => row.includes('●'));
    expect(level).toMatch(/^●\S+ \S\S .*●.*●$/);
  });
});
