// What reaches the terminal: svc's own colors, and nothing else that steers it.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { print, printAnswer, printJson, printLine } from '../../cli/print.js';
import { createStyle } from '../../cli/style.js';

const EVIL = '\u001b]0;x\u0007a\u001b[2Jb\u001b[8mc\u009b2Jd\u202ee\re';
const STEERING = /(?!\n)\p{Cc}|\u202e|\u{e0041}/u;

function capture() {
  let written = '';
  const write = (chunk: string | Uint8Array) => {
    written += chunk;
  };
  return { output: { write, isTTY: true }, written: () => written };
}

describe('text for people', () => {
  it('keeps the colors of svc and loses what else could steer a terminal', () => {
    const { output, written } = capture();
    const style = createStyle(output, {});
    const own = `${style.bold('bold')} ${style.red('red')} ${style.learned('new')} ${style.cut('cut')}\n`;
    print(output, own);
    expect(written()).toBe(own);
    print(output, style.green(EVIL));
    expect(written()).toBe(`${own}${style.green('abcdee')}`);
  });

  it('is cleaned as a line and as an answer, too', () => {
    const { output, written } = capture();
    printLine(output, EVIL, {});
    printAnswer({ stdout: output }, { json: false }, {}, () => EVIL);
    expect(written()).toBe('abcdee\nabcdee');
  });
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
  'cli/commands/chat/typed-lines.ts',
  'cli/commands/start/route-streams.ts',
  'cli/commands/terminal/ask.ts',
  'cli/commands/terminal/live-line.ts',
  'cli/commands/terminal/ring.ts',
  'cli/commands/terminal/to-writable.ts',
  'cli/print.ts',
  'cli/run.ts',
];

it('nothing else writes to an output', () => {
  const files = readdirSync('cli', { recursive: true }) as string[];
  const writers = files
    .map(file => `cli/${file.replaceAll('\\', '/')}`)
    .filter(file => file.endsWith('.ts') && !file.startsWith('cli/dashboard/'))
    .filter(file => /\.write\(/.test(readFileSync(file, 'utf8')));
  expect(writers.sort()).toEqual(WRITERS);
});
