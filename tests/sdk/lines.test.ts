// Files of lines that only grow.
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { appendLines, readWholeLines, wholeLines } from '../../lib/sdk/files/lines.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let path: string;
beforeEach(() => {
  path = join(temporaryFolder('svc-lines'), 'lines.txt');
});

it('a file that is not there has no lines', async () => {
  expect(await readWholeLines(path)).toEqual([]);
});

it('a part of a line is cut off, and others follow', async () => {
  await appendLines(path, ['one', 'zwei ü']);
  await appendFile(path, 'thr');
  expect(await readWholeLines(path)).toEqual(['one', 'zwei ü']);
  await appendLines(path, ['three']);
  expect(await readFile(path, 'utf8')).toBe('one\nzwei ü\nthree\n');
});

it('lines are whole where they are longer than what is read at once, and know where they end', async () => {
  const lines = ['ü'.repeat(100_000), '', 'x'.repeat(70_000), 'end'];
  await writeFile(path, lines.map(line => `${line}\n`).join(''));
  const read: { line: string; end: number }[] = [];
  for await (const found of wholeLines(path)) read.push(found);
  expect(read.map(({ line }) => line)).toEqual(lines);
  expect(read.map(({ end }) => end)).toEqual([200_001, 200_002, 270_003, 270_007]);
});
