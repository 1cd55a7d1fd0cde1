// What a panel and what is in it look like, whatever the terminal can show.
import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { Panel } from '../../cli/dashboard/components/panel.js';
import { Line } from '../../cli/dashboard/components/text.js';
import { LookContext, readLook } from '../../cli/dashboard/terminal/look.js';
import { asciiGlyphs, displayWidth, unicodeGlyphs } from '../../lib/console/index.js';
import { render } from './support/render.js';

function draw(title: string, width: number, height: number, text: string, isUnicode = true): string[] {
  const look = { isColored: false, isUnicode, glyphs: isUnicode ? unicodeGlyphs : asciiGlyphs };
  const { output, unmount } = render(
    <LookContext.Provider value={look}>
      <Panel title={title} aside="cURL" width={width} height={height}>
        <Line>{text}</Line>
        <Line>{'翻訳'.repeat(20)}</Line>
      </Panel>
    </LookContext.Provider>,
  );
  const rows = stripVTControlCharacters(output.frame).split('\n');
  unmount();
  return rows;
}

it('a panel is of exactly the size that it was given', () => {
  for (const width of [10, 11, 17, 30, 39])
    for (const height of [2, 3, 4, 5]) {
      const rows = draw('A title that is long', width, height, 'x'.repeat(60));
      expect([rows.length, ...new Set(rows.map(displayWidth))]).toEqual([height, width]);
    }
});

it.each(['翻訳する', '👩‍👩‍👧‍👦 family 🚀', 'e\u0301te\u0301', 'नि', 'ｶﾞ'])(
  'a panel has all of %s as its title',
  title => {
    const [edge] = draw(title, 24, 3, '');
    expect(edge!.startsWith(`╭─ ${title} ─`)).toBe(true);
    expect([displayWidth(edge!), edge!.at(-1)]).toEqual([24, '╮']);
  },
);

it('a panel shows what is not ASCII in as many columns where only ASCII can be shown', () => {
  expect(draw('é', 20, 4, 'é · 翻訳…', false)).toEqual([
    '+- ? ------- cURL -+',
    '| ? - ????.        |',
    '| ???????????????? |',
    '+------------------+',
  ]);
});

it.each<[Record<string, string>, NodeJS.Platform, isColored: boolean, isUnicode: boolean]>([
  [{}, 'linux', true, true],
  [{ NO_COLOR: '1' }, 'linux', false, true],
  [{ NO_COLOR: '' }, 'linux', true, true],
  [{ LANG: 'C' }, 'linux', true, false],
  [{ LANG: 'en_US.ISO-8859-1' }, 'linux', true, false],
  [{ LANG: 'C', LC_ALL: 'C.UTF-8' }, 'linux', true, true],
  [{ LANG: 'en_US.UTF-8', TERM: 'linux' }, 'linux', true, false],
  [{}, 'win32', true, false],
  [{ WT_SESSION: 'x' }, 'win32', true, true],
])('a terminal with %j on %s: colors %s, Unicode %s', (env, platform, isColored, isUnicode) => {
  const glyphs = isUnicode ? unicodeGlyphs : asciiGlyphs;
  expect(readLook(env, platform)).toEqual({ isColored, isUnicode, glyphs });
});
