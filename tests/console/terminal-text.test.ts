import { describe, expect, it } from 'vitest';
import { emptyTerminal, printText, TERMINAL_LINES, textBlocks } from '../../lib/console/index.js';

const E = '\u001b';

/** The lines of a text that arrives in these chunks. */
function linesOf(...chunks: string[]): readonly string[] {
  return chunks.reduce(printText, emptyTerminal).lines;
}

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

  it('holds back a sequence until its end has come, and drops one that never ends', () => {
    expect(linesOf('a', `${E}[3`)).toEqual(['a']);
    expect(linesOf('a', `${E}[3`, '1mb')).toEqual(['ab']);
    expect(linesOf(`a${E}]${'x'.repeat(5000)}`, 'b')).toEqual(['ab']);
  });

  it('does not change what was printed before', () => {
    const first = printText(emptyTerminal, 'one\ntwo');
    printText(first, '\rTWO\nthree');
    expect(first.lines).toEqual(['one', 'two']);
  });

  it('keeps the last lines only, and counts what fell out', () => {
    const text = Array.from({ length: TERMINAL_LINES + 250 }, (_, index) => `line ${index}\n`).join('');
    const terminal = printText(emptyTerminal, text);
    expect(terminal.lines).toHaveLength(TERMINAL_LINES);
    expect(terminal.dropped).toBe(251);
    expect(terminal.lines[0]).toBe('line 251');
  });
});

describe('the blocks of a text', () => {
  const numbered = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `line ${from + index}\n`).join('');

  it('hold all of it', () => {
    const terminal = printText(emptyTerminal, numbered(0, 501));
    const blocks = textBlocks(terminal);
    expect(blocks.map(({ key }) => key)).toEqual([0, 1, 2]);
    expect(blocks.map(({ text }) => text).join('')).toBe(numbered(0, 501));
    expect(textBlocks(emptyTerminal)).toEqual([]);
  });

  it('keep keys and content while text comes and falls out', () => {
    const first = printText(emptyTerminal, numbered(0, TERMINAL_LINES));
    const later = printText(first, numbered(TERMINAL_LINES, TERMINAL_LINES + 300));
    const before = new Map(textBlocks(first).map(({ key, text }) => [key, text]));
    const kept = textBlocks(later).filter(({ key, text }) => before.get(key) === text);
    expect(kept).toHaveLength(TERMINAL_LINES / 200 - 2);
  });
});
