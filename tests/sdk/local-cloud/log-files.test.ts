// Following the cloud's log during rotation, and telling what a start wrote from what was there before.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { adoptOutput, openLog } from '../../../lib/cloud/host/log.js';
import { readLogText } from '../../../lib/sdk/local-cloud/index.js';
import { findLogEnd, markLogs, readOwnLines } from '../../../lib/sdk/local-cloud/log.js';
import { logFileIn, outputFileIn } from '../../../lib/system/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

let folder: string;
let path: string;
beforeEach(() => {
  folder = temporaryFolder('svc-logs');
  path = logFileIn(folder);
  mkdirSync(dirname(path));
});

const messagesOf = (text: string) =>
  text.split('\n').flatMap(line => (line ? (JSON.parse(line) as { message: string }).message : []));

it.each([1, 2, 3, 5, 7])('returns each line once when read after every %i lines', async every => {
  const log = openLog(path, [], 250);
  const heard: string[] = [];
  let { place } = await readLogText(path, null);
  for (let i = 0; i < 21; i++) {
    log({ message: `line ${i}` });
    if (i % every !== every - 1) continue;
    const next = await readLogText(path, place);
    heard.push(...messagesOf(next.text));
    place = next.place;
  }
  expect(heard).toEqual(Array.from({ length: 21 - (21 % every) }, (_, i) => `line ${i}`));
});

it('starts with the newest rotated file, and leaves an incomplete line for the next read', async () => {
  writeFileSync(`${path}.2`, 'long ago\n');
  writeFileSync(`${path}.1`, 'before\n');
  writeFileSync(path, 'now\nhal');
  const first = await readLogText(path, null);
  expect(first.text).toBe('before\nnow\n');
  appendFileSync(path, 'f\n');
  expect((await readLogText(path, first.place)).text).toBe('half\n');
});

it('is read from its start after truncation, or from its end on request', async () => {
  writeFileSync(path, 'a long line\n');
  const end = await findLogEnd(path);
  expect((await readLogText(path, end)).text).toBe('');
  writeFileSync(path, 'new\n');
  expect((await readLogText(path, end)).text).toBe('new\n');
  expect(await findLogEnd(`${path}.none`)).toBeNull();
});

describe('of a start that fails, only its own output is shown', () => {
  const before = 'Port 15602 is in use.\nChoose another one.\n';
  const write = (text: string) => appendFileSync(outputFileIn(folder), text);
  /** As a starting cloud does. */
  const adopt = () => adoptOutput(outputFileIn(folder), openLog(path, []));

  beforeEach(() => {
    openLog(path, [])({ message: 'long ago' });
    write(before);
  });

  it.each([
    ['shorter than', 'No.\n'],
    ['the same as', before],
    ['longer than', `Port 5601 is in use.\n${'It is. '.repeat(20)}\n`],
  ])('if it is %s what an earlier start left', async (_, own) => {
    const lines = own.split('\n').filter(Boolean);
    const mark = await markLogs(folder);
    write(own);
    expect(await readOwnLines(folder, mark)).toEqual(lines);

    const next = await markLogs(folder);
    await adopt();
    write(own);
    expect(await readOwnLines(folder, next)).toEqual(lines);
  });

  it('also if a line was never ended, before or now', async () => {
    write('Segmentation');
    const mark = await markLogs(folder);
    write(' fault\nFATAL ERROR: no newline');
    expect(await readOwnLines(folder, mark)).toEqual([' fault', 'FATAL ERROR: no newline']);
    await adopt();
    write('late');
    expect(await readOwnLines(folder, mark)).toEqual([' fault', 'FATAL ERROR: no newline', 'late']);
  });

  it('also if an earlier start left more than is moved into the log', async () => {
    for (let line = 0; line < 8000; line++) write(`This is line ${line} of much output.\n`);
    const mark = await markLogs(folder);
    write('own\n');
    await adopt();
    expect(await readOwnLines(folder, mark)).toEqual(['own']);
  });

  it('with what it wrote before and after it moved the older output into the log', async () => {
    const mark = await markLogs(folder);
    write('Warning: early.\n');
    await adopt();
    openLog(path, [])({ message: 'logged' });
    write('late\n');
    expect(await readOwnLines(folder, mark)).toEqual([
      'Warning: early.',
      expect.stringMatching(/Z {2}logged$/),
      'late',
    ]);
  });

  it('if there was none before', async () => {
    await adopt();
    const mark = await markLogs(folder);
    write('first\n');
    await adopt();
    write('second\n');
    expect(await readOwnLines(folder, mark)).toEqual([expect.stringMatching(/Z {2}first$/), 'second']);
  });
});
