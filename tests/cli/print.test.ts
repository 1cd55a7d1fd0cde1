// What reaches the terminal: svc's own colors, tables, facts and lines that are drawn over, and nothing else that steers it.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createLiveLine } from '../../cli/commands/terminal/live-line.js';
import { type Column, renderFacts, renderTable } from '../../cli/commands/terminal/table.js';
import {
  advance,
  noProgress,
  type Progress,
  remainingMs,
  renderProgress,
} from '../../cli/commands/training/progress.js';
import { print, printAnswer, printJson, printLine } from '../../cli/print.js';
import { createStyle } from '../../cli/style.js';
import { displayWidth } from '../../lib/console/index.js';
import type { JobEvent } from '../../lib/contract/index.js';
import { at, completed, log, started } from './support/job-events.js';

const EVIL = '\u001b]0;x\u0007a\u001b[2Jb\u001b[8mc\u009b2Jd\u202ee\re';
const STEERING = /(?!\n)\p{Cc}|\u202e|\u{e0041}/u;

const plain = createStyle({ write: () => {} }, {});
const colored = createStyle({ write: () => {}, isTTY: true }, {});

function capture() {
  let written = '';
  const write = (chunk: string | Uint8Array) => {
    written += chunk;
  };
  return { output: { write, isTTY: true }, written: () => written };
}

it('text for people keeps the colors of svc and loses what else could steer a terminal', () => {
  const { output, written } = capture();
  const { bold, red, green, learned, cut } = colored;
  const own = `${bold('bold')} ${red('red')} ${learned('new')} ${cut('cut')}\n`;
  print(output, own);
  expect(written()).toBe(own);
  print(output, green(EVIL));
  printLine(output, EVIL, {});
  printAnswer({ stdout: output }, { json: false }, {}, () => EVIL);
  expect(written()).toBe(`${own}${green('abcdee')}abcdee\nabcdee`);
});

it('JSON says the same and cannot steer a terminal', () => {
  const { output, written } = capture();
  const document = { [EVIL]: [EVIL, 'é 👍 \u{e0041}'] };
  printJson(output, document);
  expect(written()).not.toMatch(STEERING);
  expect(JSON.parse(written())).toEqual(document);
});

/** Bytes that are passed on as they are, and what svc itself draws. */
const WRITERS = [
  'cli/bin.ts',
  'cli/commands/api.ts',
  'cli/commands/chat/converse.ts',
  'cli/commands/project/route-outputs.ts',
  'cli/commands/terminal/ask.ts',
  'cli/commands/terminal/live-line.ts',
  'cli/print.ts',
  'cli/run.ts',
  'cli/screen.ts',
];

it('nothing else writes to an output', () => {
  const files = readdirSync('cli', { recursive: true }) as string[];
  const writers = files
    .map(file => `cli/${file.replaceAll('\\', '/')}`)
    .filter(file => file.endsWith('.ts') && !file.startsWith('cli/dashboard/'))
    .filter(file => /\.write\(/.test(readFileSync(file, 'utf8')));
  expect(writers.sort()).toEqual(WRITERS);
});

describe('a table', () => {
  interface Row {
    name: string;
    note: string;
    id: string;
  }
  const columns: Column<Row>[] = [
    { title: 'Name', text: ({ name }) => name, least: 6 },
    { title: 'Note', text: ({ note }) => note, spare: true },
    { title: 'ID', text: ({ id }) => id, short: ({ id }) => id.slice(0, 4) },
  ];
  const rows: Row[] = [
    { name: 'a name that goes on', note: 'first', id: '0123456789' },
    { name: 'b', note: 'second', id: 'abcdefghij' },
  ];
  const render = (width: number, style = plain) => renderTable(columns, rows, { width, style });

  it('shows everything where there is room, then short forms, then cuts, then leaves columns out', () => {
    expect(render(Number.POSITIVE_INFINITY)).toBe(
      'Name                 Note    ID\n' +
        'a name that goes on  first   0123456789\n' +
        'b                    second  abcdefghij\n',
    );
    expect(render(33)).toContain('a name that goes on  first   0123\n');
    expect(render(25)).toContain('a name tha…  first   0123\n');
    expect(render(18)).toBe('Name          ID\na name that…  0123\nb             abcd\n');
  });

  it('is never wider than the terminal, down to what must stand there', () => {
    for (let width = 12; width < 45; width++)
      for (const line of render(width).split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
  });

  it('cuts titles with their columns, where the cells are cut', () => {
    const titled: Column<string>[] = [
      { title: 'Setting', text: row => row },
      { title: 'the same start and end 1', text: () => '0.1', least: 8, cut: 'middle' },
      { title: 'eine 翻訳 of a long name', text: () => '0.2', least: 8 },
    ];
    const lines = (width: number) => renderTable(titled, ['Rank'], { width, style: plain }).split('\n');
    expect(lines(33)[0]).toBe('Setting  the s…end 1  eine 翻訳…');
    for (let width = 27; width < 70; width++)
      for (const line of lines(width)) expect(displayWidth(line)).toBeLessThanOrEqual(width);
  });

  it('is painted without moving', () => {
    const painted = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
    expect(render(25, colored).replace(painted, '').replace(/ +$/gm, '')).toBe(render(25));
  });

  it('strips what could steer a terminal', () => {
    const evil = { name: 'a\u0007\u001b[31mb\nc\u202e', note: '\u009b2J', id: '1' };
    expect(renderTable(columns, [evil], { width: 80, style: plain }).split('\n')[1]).toBe('ab c        1');
  });
});

it('facts stand in two columns, the unknown ones left out', () => {
  const facts: [string, string | null][] = [
    ['Name', 'x'],
    ['Error', null],
    ['Created at', 'y'],
  ];
  expect(renderFacts(facts, plain)).toBe('Name        x\nCreated at  y\n');
});

describe('the line that is drawn over', () => {
  function createScreen(isLive = true) {
    const { output, written } = capture();
    const line = createLiveLine(output, { isLive });
    return { line, written: () => written().replaceAll('\r\u001b[2K', '<erase>') };
  }

  it('is drawn over where it changes', () => {
    const { line, written } = createScreen();
    for (const text of ['1/2', '2/2', '2/2']) line.draw(text);
    line.clear();
    expect(written()).toBe('<erase>1/2<erase>2/2<erase>');
  });

  it('stays below what is printed, and keeps everything back while it is held', () => {
    const { line, written } = createScreen();
    line.draw('1/2');
    line.print('a log\n');
    expect(written()).toBe('<erase>1/2<erase>a log\n1/2');
    line.hold();
    line.pass('a');
    line.print('b\n');
    line.draw('2/2');
    const before = '<erase>1/2<erase>a log\n1/2<erase>';
    expect(written()).toBe(before);
    line.release();
    expect(written()).toBe(`${before}a\nb\n2/2`);
  });

  it('erases nothing of what others write, and is drawn again when their line has ended', () => {
    const { line, written } = createScreen();
    line.draw('1/2');
    line.pass('50');
    line.draw('2/2');
    line.pass(Buffer.from(' %'));
    line.pass('\n');
    line.clear();
    expect(written()).toBe('<erase>1/2<erase>50 %\n2/2<erase>');
  });

  it.each([true, false])('begins our own lines at the left, whether it is drawn or not: %s', isLive => {
    const { line, written } = createScreen(isLive);
    line.pass('no line feed');
    line.print('ours\n');
    line.pass('');
    line.print('more\n');
    expect(written()).toBe('no line feed\nours\nmore\n');
  });

  it('does not exist where nothing can be drawn over', () => {
    const { line, written } = createScreen(false);
    line.draw('1/2');
    line.print('a log\n');
    line.clear();
    expect(written()).toBe('a log\n');
  });
});

describe('the progress of a training', () => {
  const reduce = (...events: JobEvent[]): Progress => events.reduce(advance, noProgress);
  const render = (progress: Progress, width: number) => renderProgress(progress, width, plain);
  const begun = started({ totalSteps: 40 });

  it('knows nothing before it started', () => {
    expect(remainingMs(noProgress)).toBeNull();
    expect(render(noProgress, 80)).toContain('step 0');
  });

  it('expects what is left to go at the pace so far, of a resumed run from where it resumed', () => {
    const first = [begun, log({ step: 10, timestamp: at(5) })];
    expect(remainingMs(reduce(...first))).toBe(15_000);
    const resumed = started({ timestamp: at(100), totalSteps: 40, resumedFromStep: 20 });
    expect(remainingMs(reduce(...first, resumed, log({ step: 30, timestamp: at(102) })))).toBe(2000);
  });

  it('keeps the last of each figure', () => {
    const first = log({ step: 10, loss: 2, tokensPerSecond: 400 });
    const progress = reduce(begun, first, log({ step: 20, evalLoss: 1.5, loss: null }), completed());
    expect(progress).toMatchObject({ step: 20, loss: 2, evalLoss: 1.5, tokensPerSecond: 400 });
  });

  it('is a line with a bar and figures with their units, which leaves out the bar first, then what matters least', () => {
    const logged = log({ step: 10, loss: 2.34567, tokensPerSecond: 412.3, timestamp: at(5) });
    const progress = reduce(begun, logged);
    const figures = 'step 10/40  loss 2.346  ETA 15 s  412 tokens/s';
    expect(render(progress, 100)).toBe(`${'█'.repeat(7)}${'░'.repeat(23)}  ${figures}`);
    expect(render(progress, 52)).toBe(figures);
    expect(render(progress, 36)).toBe('step 10/40  loss 2.346  ETA 15 s');
    expect(render(progress, 12)).toBe('step 10/40');
    for (let width = 10; width < 120; width++)
      expect(displayWidth(render(progress, width))).toBeLessThanOrEqual(width);
  });

  it.each([40, 41])('is full at the end, and no fuller when there is more: step %i', step => {
    expect(render(reduce(begun, log({ step })), 120)).toContain(`${'█'.repeat(30)}  `);
  });
});
