// Following the cloud's log during rotation.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { openLog } from '../../../lib/cloud/host/log.js';
import { readLogText } from '../../../lib/sdk/local-cloud/index.js';
import { findLogEnd } from '../../../lib/sdk/local-cloud/log.js';
import { logFileIn } from '../../../lib/system/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

let path: string;
beforeEach(() => {
  path = logFileIn(temporaryFolder('svc-logs'));
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
