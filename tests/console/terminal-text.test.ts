import { describe, expect, it } from 'vitest';
import {
  emptyTerminal,
  isBeginningOf,
  printText,
  TERMINAL_LINES,
  textBlocks,
  textRuns,
} from '../../lib/console/index.js';
import { lineText } from '../../lib/console/text/terminal-text.js';
import { createEmulator } from '../terminal/support/emulator.js';

const E = '\u001b';

/** The lines of a text that arrives in these chunks. */
function linesOf(...chunks: string[]): readonly string[] {
  return chunks.reduce(printText, emptyTerminal).lines.map(lineText);
}

/** The same with styles: `plain[bold red:text]plain`. */
function styledLinesOf(...chunks: string[]): readonly string[] {
  const { lines } = chunks.reduce(printText, emptyTerminal);
  return lines.map(line => line.map(({ text, style }) => (style ? `[${style}:${text}]` : text)).join(''));
}

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `line ${from + index}\n`).join('');

describe('the text of a terminal', () => {
  it.each<[string, string[]]>([
    ['one\ntwo', ['one', 'two']],
    ['one\r\ntwo\r\n', ['one', 'two', '']],
    ['10%\r20%\r100%\ndone', ['100%', 'done']],
    ['long line\rshort', ['shortline']],
    [`long line\rshort${E}[K`, ['short']],
    [`progress${E}[2K\rdone`, ['done']],
    [`abcdef${E}[3GX`, ['abXdef']],
    [`abc${E}[1Kd`, ['   d']],
    ['abd\bc', ['abc']],
    ['a\tb', ['a\tb']],
    [`${E}[1;31mred${E}[0m and ${E}[38;5;4mblue${E}[39m`, ['red and blue']],
    [`${E}]0;a title\u0007text${E}]8;;https://x.test${E}\\link${E}]8;;${E}\\`, ['textlink']],
    [`${E}(B${E}7${E}=plain${E}c`, ['plain']],
    [`${E}]no end of this\nnext line`, ['no end of this', 'next line']],
    ['bell\u0007 null\u0000 delete\u007f', ['bell null delete']],
    ['é 👍 نص', ['é 👍 نص']],
    ['翻訳 10%\rab', ['ab訳 10%']],
    ['翻訳\rx', ['x 訳']],
    [`翻訳\r${E}[2Gx`, [' x訳']],
    ['👍👍👍\rab', ['ab👍👍']],
    ['abcdef\r翻', ['翻cdef']],
    ['cafe\u0301s\rTEA ', ['TEA s']],
    ['loss 翻\b\bx', ['loss x ']],
    [`翻訳 done\r訳${E}[K`, ['訳']],
    [`翻訳${E}[3GX`, ['翻X ']],
    ['👩‍👩‍👧‍👦\b\bok', ['ok']],
    ['👩‍👩‍👧‍👦!\r👩‍👩‍👧‍👦?', ['👩‍👩‍👧‍👦?']],
  ])('of %j is %j, however it is cut into chunks', (text, lines) => {
    expect(linesOf(text)).toEqual(lines);
    expect(linesOf(...text.split(''))).toEqual(lines);
  });

  it.each<[string, string[]]>([
    [`${E}[1;31mred${E}[0m and ${E}[34mblue${E}[39m.`, ['[bold red:red] and [blue:blue].']],
    [`${E}[32mone\ntwo${E}[m\nthree`, ['[green:one]', '[green:two]', 'three']],
    [
      `${E}[1mloud ${E}[2mdim${E}[22m, ${E}[3;4;9mall${E}[23;24;29m`,
      ['[bold:loud ][bold dim:dim], [italic underline strike:all]'],
    ],
    [`${E}[7mon${E}[27moff ${E}[41mred ground${E}[49m`, ['[inverse:on]off [inverse red:red ground]']],
    [`${E}[31;44mboth${E}[49m color${E}[39m none`, ['[inverse blue:both][red: color] none']],
    [`${E}[90mgray${E}[97m white ${E}[30mblack`, ['[gray:gray] white black']],
    [`${E}[38;5;196mred${E}[38;5;21mblue${E}[38;5;245mgray${E}[0m`, ['[red:red][blue:blue]gray']],
    [`${E}[38;5;208morange${E}[0m`, ['[yellow:orange]']],
    [`${E}[38;2;20;200;60mgreen${E}[38;2;255;220;0;1myellow${E}[0m`, ['[green:green][bold yellow:yellow]']],
    [`${E}[35m10%${E}[0m\r${E}[36m20${E}[0m`, ['[cyan:20][magenta:%]']],
    [`${E}[34m████${E}[2m░░${E}[0m  step 4/6\r${E}[2K${E}[32mdone${E}[0m`, ['[green:done]']],
    [`${E}[31m翻訳${E}[0m\r x`, [' x[red:訳]']],
    [`${E}[12345;;58;5;1mplain`, ['plain']],
  ])('of %j has the styles %j, however it is cut into chunks', (text, lines) => {
    expect(styledLinesOf(text)).toEqual(lines);
    expect(styledLinesOf(...text.split(''))).toEqual(lines);
  });

  it('has the very lines that a terminal would have', async () => {
    const terminal = createEmulator({ columns: 80, rows: 24 });
    const printed = [
      'Queued "triage".\n',
      `${E}[2m██░░░░${E}[22m  step 10/40  loss 2.346  ETA 15 s`,
      `\r${E}[2Kstep 20  checkpoint saved\n${E}[2m████░░${E}[22m  step 20/40`,
      `\r${E}[2Kwhat a callback prints\r\nlong line\rshort${E}[K\n\n`,
      `${E}[32m✔ completed${E}[39m  in 10.0 s, no newline`,
    ];
    for (const part of printed) terminal.write(part.replaceAll(/(?<!\r)\n/g, '\r\n'));
    await terminal.drawn();
    expect(linesOf(...printed)).toEqual(terminal.text().trimEnd().split('\n'));
  });

  it('holds back a sequence until its end has come, and drops one that never ends', () => {
    expect(linesOf('a', `${E}[3`)).toEqual(['a']);
    expect(linesOf('a', `${E}[3`, '1mb')).toEqual(['ab']);
    expect(linesOf(`a${E}]${'x'.repeat(5000)}`, 'b')).toEqual(['ab']);
  });

  it('keeps the last lines only, counts what fell out, and leaves what was printed before', () => {
    const first = printText(emptyTerminal, 'one\ntwo');
    printText(first, '\rTWO\nthree');
    expect(first.lines.map(lineText)).toEqual(['one', 'two']);
    const terminal = printText(emptyTerminal, numbered(0, TERMINAL_LINES + 250));
    const { lines, dropped } = terminal;
    expect([lines.length, dropped, lineText(lines[0]!)]).toEqual([TERMINAL_LINES, 251, 'line 251']);
  });
});

it('a text that is sent once more is a beginning of what is shown, until it is as long or goes on differently', () => {
  const print = (...chunks: string[]) => chunks.reduce(printText, emptyTerminal);
  const shown = print('one\n', 'two\n', 'thr');
  for (const again of ['', 'on', 'one\n', 'one\ntw'])
    expect(isBeginningOf(shown, print(again)), again).toBe(true);
  for (const other of ['one\ntwo\n', 'one\ntwo\nthree', 'two\n', 'other\ntw'])
    expect(isBeginningOf(shown, print(other)), other).toBe(false);
  expect(isBeginningOf(emptyTerminal, print('one\n'))).toBe(false);
});

it('the blocks of a text hold all of it', () => {
  const terminal = printText(emptyTerminal, numbered(0, 501));
  const blocks = textBlocks(terminal);
  expect(blocks.map(({ key }) => key)).toEqual([0, 1, 2]);
  expect(blocks.map(block => lineText(textRuns(block))).join('')).toBe(numbered(0, 501));
  expect(textBlocks(emptyTerminal)).toEqual([]);
});

it('the blocks of a text keep keys and content while text comes and falls out', () => {
  const first = printText(emptyTerminal, numbered(0, TERMINAL_LINES));
  const later = printText(first, numbered(TERMINAL_LINES, TERMINAL_LINES + 300));
  const before = new Map(textBlocks(first).map(({ key, lines }) => [key, lines]));
  const isSame = (line: unknown, index: number, key: number) => before.get(key)?.[index] === line;
  const kept = textBlocks(later).filter(
    ({ key, lines }) =>
      lines.length === before.get(key)?.length && lines.every((line, index) => isSame(line, index, key)),
  );
  expect(kept).toHaveLength(TERMINAL_LINES / 200 - 2);
});
