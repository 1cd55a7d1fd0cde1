// A chart as a person sees it: asciichart's curves, and what is laid over them.
import { stripVTControlCharacters } from 'node:util';
import chalk from 'chalk';
import { Box } from 'ink';
import type { ReactElement } from 'react';
import { describe, expect, it } from 'vitest';
import { CellPicture, LossChart } from '../../cli/dashboard/components/chart.js';
import { LookContext } from '../../cli/dashboard/terminal/look.js';
import { appendPoint, emptySeries, type MetricSeries } from '../../lib/console/chart/series.js';
import {
  asciiGlyphs,
  cellChart,
  comparedCells,
  displayWidth,
  runPen,
  unicodeGlyphs,
} from '../../lib/console/index.js';
import { render } from './support/render.js';
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
  const { output, unmount } = render(
    <LookContext.Provider value={look}>{<Box>{chart}</Box>}</LookContext.Provider>,
  );
  const picture = output.frame;
  unmount();
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

/** What stands over each sign of a picture in another one that has more. */
function signsOver(below: readonly string[], above: readonly string[]): [below: string, above: string][] {
  const signs = below.flatMap((row, index) =>
    [...row].map((sign, column): [string, string] => [sign, above[index]![column]!]),
  );
  return signs.filter(([sign]) => sign !== ' ');
}

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
      for (const isLog of [false, true]) {
        const { rows } = draw(fall(steps), [], { width: 60, height: 14, isLog });
        expect(rows.join('\n')).not.toMatch(/[╷╵├┬┴╯╭]/);
      }
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
    const { rows } = draw(crowded, [], { width: 7, height: 6 });
    expect(plotOf(rows)).toEqual(['  ╷', '  │', '──┼──', '  │', '  ╵']);
  });

  it.each([[[5]], [[5, 5]], [[5, 4]]])('is drawn of as few values as %j', values => {
    expect(draw(values).rows.join('\n')).toMatch(/5[┤┼] *─/);
    expect(draw([], values).rows.join('').match(/●/g)).toHaveLength(values.length);
  });

  it('fits where there is hardly any room, and where there is nothing to draw', () => {
    for (const width of [1, 2, 3, 5, 8, 13])
      for (const height of [1, 2, 3, 4, 5])
        for (const isFine of [false, true]) {
          const { rows } = draw(fall(30), at([20], [3]), { width, height, isFine, cursor: 20 });
          expect(rows.join('')).not.toMatch(/NaN|undefined/);
        }
    expect(draw([]).rows.slice(0, 8)).toEqual(Array.from({ length: 8 }, () => '┤'));
  });
});

describe('the line of the evaluation', () => {
  /** From 1 to 3, with its own ups and downs. */
  const wave = (seed: number, count: number): number[] => [
    ...[3, 1],
    ...Array.from({ length: count }, (_, step) => 2 + Math.sin(seed * (step + 1) * 12.9898)),
  ];
  const everyFifth = (values: readonly number[]): Points =>
    values.map((value, index) => [index * 5 + 8, value]);

  it('is dashed, with a point at each value', () => {
    const { rows } = draw([], at([0, 18, 36], [4, 4, 4]), { height: 2 });
    const [level] = plotOf(rows).filter(row => row.includes('●'));
    expect(level).toMatch(/^●─ ── ── ─[─ ]+●[─ ]+●$/);
    expect(level!.match(/●/g)).toHaveLength(3);
  });

  it('never hides the training line, but for its points', () => {
    for (let seed = 1; seed < 9; seed++) {
      const draws = [[], everyFifth(wave(seed + 0.5, 7))].map(evaluation =>
        plotOf(draw(wave(seed, 60), evaluation, { width: 50, height: 12 }).rows),
      );
      for (const [sign, drawn] of signsOver(draws[0]!, draws[1]!)) expect([sign, '●']).toContain(drawn);
    }
  });

  it('has the values behind a smoothed line in its gaps', () => {
    const options = { width: 50, height: 12, isSmooth: true };
    const behind = plotOf(draw(wave(3, 40), [], options).rows);
    const all = plotOf(draw(wave(3, 40), everyFifth(wave(2, 5)), options).rows);
    for (const [, drawn] of signsOver(behind, all)) expect(drawn, all.join('\n')).not.toBe(' ');
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

it('the cursor is a line through the empty cells, and inverts the others', () => {
  const { picture, rows } = draw([3, 3, 3, 1], at([1, 3], [2, 2]), { cursor: 1 });
  const column = rows[1]!.indexOf('┊');
  expect(rows.slice(0, -1).map(row => row[column])).toEqual(['─', '┊', '┊', '●', '┊', '┊', '┊', '┊']);
  expect([styleAt(picture, '┊'), styleAt(picture, '●')]).toEqual(['bold', 'inverse magenta']);
  expect(draw([3, 1], [], { cursor: 7 }).rows.join('')).not.toContain('┊');
});

it.each([true, false])('the cursor is as wide and tall as the chart is made: dots %s', isFine => {
  for (const isSmooth of [false, true]) {
    const { rows } = draw(fall(60), at([0, 59], [4, 3]), { cursor: 20, isSmooth, isFine });
    expect([rows.length, Math.max(...rows.map(displayWidth))]).toEqual([9, 40]);
  }
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
  expect(rows[0]).toMatch(/^ *4[┤┼]/);
  expect(rows.at(-2)).toMatch(/^ *1[┤┼]/);
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
    const values = Array.from({ length: 5000 }, (_, index) => ({ 2500: 9, 2600: -3 })[index] ?? 3);
    const { rows } = draw(values, [], { ...size, width: 30, height: 8 });
    for (const row of [rows[0]!, rows.at(-2)!]) expect(row).toMatch(BRAILLE);
  });

  it('of equal values is level, and of the evaluation dashed, with a mark at each point', () => {
    expect(new Set(draw([2, 2, 2, 2], [], size).rows.join('').match(BRAILLE)).size).toBe(1);
    const [level] = plotOf(draw([], [4, 4, 4], { ...size, width: 40 }).rows).filter(row => row.includes('●'));
    expect(level).toMatch(/^●\S+ \S\S .*●.*●$/);
  });
});
