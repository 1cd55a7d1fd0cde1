import { describe, expect, it } from 'vitest';
import { chartLines } from '../../cli/dashboard/drawing/chart-drawing.js';
import { layLines } from '../../cli/dashboard/drawing/lay-lines.js';
import {
  centered,
  cutLine,
  fitLine,
  highlight,
  type Line,
  line,
  lineWidth,
  span,
  spread,
} from '../../cli/dashboard/drawing/line.js';
import { panel } from '../../cli/dashboard/drawing/panel.js';
import { paragraph } from '../../cli/dashboard/drawing/words.js';
import { wrapWords } from '../../cli/dashboard/drawing/wrap-spans.js';
import { asciiGlyphs, unicodeGlyphs } from '../../cli/dashboard/terminal/glyphs.js';
import { type Look, readLook } from '../../cli/dashboard/terminal/look.js';
import { cellChart } from '../../lib/console/index.js';
import { appendPoint, emptySeries } from '../../lib/console/series.js';
import { toCodedText } from './support/coded-text.js';

const textOf = (spans: readonly { text: string }[]) => spans.map(({ text }) => text).join('');
const colored = { isColored: true, isUnicode: true, glyphs: unicodeGlyphs };

describe('a span', () => {
  it('cannot hold what steers a terminal', () => {
    expect(span('a\u001b[2J\nb\u0007').text).toBe('a b');
  });
});

describe('a line', () => {
  const parts = [span('running', { tone: 'running' }), span(' 翻訳 triage')];

  it('is cut by columns, through its spans', () => {
    for (let width = 0; width < 24; width++)
      expect(lineWidth(cutLine(parts, width))).toBeLessThanOrEqual(width);
    expect(textOf(cutLine(parts, 10))).toBe('running…');
    expect(textOf(cutLine(parts, 7))).toBe('runnin…');
    expect(cutLine(parts, 7)[0]?.tone).toBe('running');
  });

  it('fills the room that it has', () => {
    for (let width = 0; width < 40; width++) {
      expect(lineWidth(fitLine(parts, width))).toBe(width);
      expect(lineWidth(highlight(parts, width))).toBe(width);
      expect(lineWidth(spread(parts, line('right'), width))).toBeLessThanOrEqual(width);
    }
    expect(textOf(spread(line('left'), line('right'), 12))).toBe('left   right');
  });
});

describe('a panel', () => {
  it('is of exactly the size that it was given', () => {
    for (let width = 10; width < 40; width++) {
      for (let height = 2; height < 6; height++) {
        const lines = panel([line('x'.repeat(60)), line('翻訳'.repeat(20))], {
          title: 'A title that is long',
          aside: line(' cURL '),
          width,
          height,
          glyphs: unicodeGlyphs,
        });
        expect(lines).toHaveLength(height);
        expect(new Set(lines.map(lineWidth))).toEqual(new Set([width]));
      }
    }
  });
});

it.each(['翻訳する', '👩‍👩‍👧‍👦 family 🚀', 'e\u0301te\u0301', 'नि', 'ｶﾞ'])(
  'has the whole of %s as the title of a panel',
  title => {
    const [edge] = panel([], { title, width: 24, height: 3, glyphs: unicodeGlyphs });
    expect(textOf(edge!)).toMatch(new RegExp(`^╭─ ${title} ─+╮$`));
    expect(lineWidth(edge!)).toBe(24);
  },
);

it('puts an empty state in the middle', () => {
  const lines = centered([line('No jobs yet')], 31, 5);
  expect(lines.map(textOf)).toEqual(['', '', '          No jobs yet', '', '']);
});

it('ends a text that was cut with an ellipsis', () => {
  expect(paragraph('one two three', 5, {}, 2).map(textOf)).toEqual(['one', 'two…']);
});

describe('laying lines into cells', () => {
  const lay = (spans: Line, columns: number, look: Look) =>
    toCodedText(layLines([spans], { columns, rows: 1 }, look));

  it('has the codes of a style, and takes them back', () => {
    expect(lay([span('hi', { tone: 'failed', bold: true }), span(' you')], 9, colored)).toBe(
      '\u001b[1m\u001b[31mhi\u001b[0m you',
    );
  });

  it('has no color where none is wanted, but what is not color', () => {
    const plain = { ...colored, isColored: false };
    expect(lay(line('hi', { tone: 'failed' }), 9, plain)).toBe('hi');
    expect(lay(line('hi', { inverse: true }), 9, plain)).toBe('\u001b[7mhi\u001b[0m');
  });

  it('shows what is not ASCII in as many columns where only ASCII can be shown', () => {
    const ascii = { isColored: false, isUnicode: false, glyphs: asciiGlyphs };
    expect(lay(line('é · 翻訳…'), 20, ascii)).toBe('? - ????.');
  });

  it('gives a wide letter two cells and a mark none, and leaves out what would be cut in half', () => {
    expect(layLines([line('翻e\u0301x')], { columns: 4, rows: 1 }, colored).signs).toEqual([
      '翻',
      '',
      'e\u0301',
      'x',
    ]);
    expect(layLines([line('a翻訳')], { columns: 4, rows: 1 }, colored).signs).toEqual(['a', '翻', '', ' ']);
    expect(layLines([line('one'), line('two')], { columns: 2, rows: 1 }, colored).signs).toEqual(['o', 'n']);
  });
});

describe('what a terminal can show', () => {
  const look = (env: Record<string, string>, platform: NodeJS.Platform = 'linux') => readLook(env, platform);

  it('is read from its environment', () => {
    expect(look({})).toMatchObject({ isColored: true, isUnicode: true });
    expect(look({ NO_COLOR: '1' }).isColored).toBe(false);
    expect(look({ NO_COLOR: '' }).isColored).toBe(true);
    expect(look({ LANG: 'C' }).isUnicode).toBe(false);
    expect(look({ LANG: 'en_US.ISO-8859-1' }).glyphs).toBe(asciiGlyphs);
    expect(look({ LANG: 'C', LC_ALL: 'C.UTF-8' }).isUnicode).toBe(true);
    expect(look({ LANG: 'en_US.UTF-8', TERM: 'linux' }).isUnicode).toBe(false);
    expect(look({}, 'win32').isUnicode).toBe(false);
    expect(look({ WT_SESSION: 'x' }, 'win32').isUnicode).toBe(true);
  });
});

describe('a chart as lines', () => {
  const series = (values: number[]) =>
    values.reduce((all, value, index) => appendPoint(all, index * 10, value), emptySeries);
  const pair = { training: series([5, 4, 2, 1, 1.5]), evaluation: series([4, 3]) };
  const chart = cellChart(pair, { width: 40, height: 9, isLog: false, isSmooth: false });

  it('is as wide and tall as it was made', () => {
    for (const isSmooth of [false, true]) {
      const lines = chartLines(
        cellChart(pair, { width: 40, height: 9, isLog: false, isSmooth }),
        20,
        unicodeGlyphs,
      );
      expect(lines).toHaveLength(9);
      expect(Math.max(...lines.map(lineWidth))).toBe(40);
    }
  });

  it('draws the line solid, the evaluation dashed with points, and a cursor through both', () => {
    const text = chartLines(chart, 20, unicodeGlyphs).map(textOf).join('\n');
    expect(text).toMatch(/─/);
    expect(text).toMatch(/[╌┆]/);
    expect(text.match(/●/g)).toHaveLength(2);
    expect(text).toMatch(/┊/);
  });

  it('joins what several steps of a column span to the line that goes on from it', () => {
    const crowded = [3, 3, 3, 5, 1, 3, 3, 3].reduce(
      (all, value, index) => appendPoint(all, [0, 10, 20, 20, 20, 20, 30, 40][index]!, value),
      emptySeries,
    );
    const options = { width: 7, height: 6, isLog: false, isSmooth: false };
    const drawn = chartLines(
      cellChart({ training: crowded, evaluation: emptySeries }, options),
      null,
      unicodeGlyphs,
    );
    const curve = drawn.slice(0, 5).map(row => textOf(row).slice(2));
    expect(curve).toEqual(['  ╷  ', '  │  ', '──┼──', '  │  ', '  ╵  ']);
  });

  const drawnOf = (values: number[], options: { width: number; height: number; isLog?: boolean }) => {
    const training = values.reduce((all, value, step) => appendPoint(all, step, value), emptySeries);
    const cells = cellChart(
      { training, evaluation: emptySeries },
      { isLog: false, isSmooth: false, ...options },
    );
    return chartLines(cells, null, unicodeGlyphs).map(textOf);
  };
  const fall = (steps: number) =>
    Array.from({ length: steps }, (_, step) => 0.05 + 7.2 * Math.exp(-step / 6));

  it('draws a steep fall as one line, however many steps share a column', () => {
    expect(drawnOf(fall(300), { width: 40, height: 9 })).toEqual([
      '7.25┤╮                                  ',
      '    ┤│                                  ',
      '    ┤│                                  ',
      '   4┤│                                  ',
      '    ┤╰╮                                 ',
      '   2┤ │                                 ',
      '    ┤ ╰╮                                ',
      '0.05┤  ╰────────────────────────────────',
      '     0    50   100   150   200  250',
    ]);
    for (const steps of [20, 77, 300, 5000])
      for (const isLog of [false, true])
        expect(drawnOf(fall(steps), { width: 60, height: 14, isLog }).join('\n')).not.toMatch(/[╷╵├┬┴┼╯╭]/);
  });

  it('draws a rise that is as steep, to its end', () => {
    expect(drawnOf(fall(300).reverse(), { width: 40, height: 7 })).toEqual([
      '7.25┤                                  ╭',
      '    ┤                                  │',
      '    ┤                                  │',
      '   3┤                                 ╭╯',
      '    ┤                                ╭╯ ',
      '0.05┤────────────────────────────────╯  ',
      '     0    50   100   150   200  250',
    ]);
  });

  it('shows a spike that the steps have', () => {
    const steps = [...fall(150), 7, ...fall(300).slice(151)];
    expect(drawnOf(steps, { width: 40, height: 9 })).toEqual([
      '7.25┤╮                ╷                 ',
      '    ┤│                │                 ',
      '    ┤│                │                 ',
      '   4┤│                │                 ',
      '    ┤╰╮               │                 ',
      '   2┤ │               │                 ',
      '    ┤ ╰╮              │                 ',
      '0.05┤  ╰──────────────┴─────────────────',
      '     0    50   100   150   200  250',
    ]);
  });

  it('has ASCII for all of it', () => {
    const text = chartLines(chart, 20, asciiGlyphs).map(textOf).join('\n');
    expect(text).toMatch(/^[ -~\n]*$/);
    expect(text.match(/o/g)).toHaveLength(2);
  });

  it('draws a single point', () => {
    const single = { training: emptySeries, evaluation: series([4]) };
    const lines = chartLines(
      cellChart(single, { width: 20, height: 5, isLog: false, isSmooth: true }),
      null,
      unicodeGlyphs,
    );
    expect(lines.map(textOf).join('').match(/●/g)).toHaveLength(1);
  });
});

describe('text in several styles', () => {
  it('is wrapped between words, and keeps its styles across lines', () => {
    const parts = [
      { text: 'one two ' },
      { text: 'three\nfour', style: { bold: true } },
      { text: ' a-word-too-long' },
    ];
    const lines = wrapWords(parts, 10).map(row =>
      row.map(({ text, bold }) => (bold ? `*${text}*` : text)).join(''),
    );
    expect(lines).toEqual(['one two', '*three*', '*four*', 'a-word-too', '-long']);
  });
});
