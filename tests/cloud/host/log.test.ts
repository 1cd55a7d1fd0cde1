// The cloud's log: JSON lines, without secrets, limited in size.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLog } from '../../../lib/cloud/host/log.js';
import { logFileIn } from '../../../lib/system/index.js';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-log-'));
  file = logFileIn(folder);
});
afterEach(() => rm(folder, { recursive: true }));

const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n').filter(Boolean);

describe('the log', () => {
  it('has one JSON object per line, with stack traces and causes of errors', async () => {
    const log = openLog(file, []);
    log({ message: 'one' });
    const request = { requestId: 'r', method: 'GET', path: '/v1/me' };
    log({ ...request, error: new Error('two', { cause: new TypeError('three') }) });
    log({ message: 'four', error: 'five' });
    const [one, two, four] = linesOf(file).map(line => JSON.parse(line));
    expect(one).toEqual({ at: expect.stringMatching(/^\d{4}-.*Z$/), message: 'one' });
    expect(two).toMatchObject(request);
    expect(two.error).toMatch(/^Error: two\n {4}at .*\ncaused by TypeError: three\n {4}at /s);
    expect(four).toMatchObject({ message: 'four', error: 'five' });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('redacts secrets', () => {
    const log = openLog(file, ['cloud-json-secret']);
    log({ message: `svc_anon_${'a'.repeat(43)} and svc_live_${'b'.repeat(36)}` });
    const signed = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.c2ln-_1';
    log({ message: `a token, ${signed}, and one without a signature: eyJh.eyJz.` });
    const sent = 'sent Authorization: Bearer eyJ.abc-def_1 and hf_ABCDEFGHIJ "cloud-json-secret"';
    log({ message: 'x', error: new Error(sent) });
    const text = readFileSync(file, 'utf8');
    expect(text).not.toMatch(/aaaa|bbbb|eyJ|ABCDEF|cloud-json-secret/);
    expect(linesOf(file).map(line => JSON.parse(line).message)).toEqual([
      '[secret] and [secret]',
      'a token, [secret], and one without a signature: [secret]',
      'x',
    ]);
  });

  it('is rotated when it is large, and keeps three old files', () => {
    const log = openLog(file, [], 300);
    for (const name of ['first', 'second', 'third', 'fourth', 'fifth'])
      log({ message: `${name} ${'.'.repeat(200)}` });
    const kept = [file, `${file}.1`, `${file}.2`, `${file}.3`].map(path => linesOf(path).join());
    expect(kept).toEqual(['fifth', 'fourth', 'third', 'second'].map(name => expect.stringContaining(name)));
    expect(readdirSync(dirname(file))).toHaveLength(4);
    for (const path of kept) expect(path.length).toBeLessThan(300);
  });

  it('does not throw when it cannot be written', () => {
    const log = openLog(file, []);
    mkdirSync(file);
    expect(() => log({ message: 'to nobody' })).not.toThrow();
  });

  it('goes on in a new folder if its own is deleted, but not without the data folder', () => {
    const log = openLog(file, []);
    log({ message: 'before' });
    rmSync(dirname(file), { recursive: true });
    log({ message: 'after' });
    expect(linesOf(file)).toEqual([expect.stringContaining('after')]);
    rmSync(folder, { recursive: true });
    log({ message: 'to nobody' });
    expect(existsSync(folder)).toBe(false);
    mkdirSync(folder);
  });

  it('is continued by the next process', () => {
    openLog(file, [], 400)({ message: `first ${'.'.repeat(200)}` });
    openLog(file, [], 400)({ message: 'second' });
    expect(linesOf(file)).toHaveLength(2);
    openLog(file, [], 400)({ message: `third ${'.'.repeat(200)}` });
    expect(linesOf(file)).toEqual([expect.stringContaining('third')]);
    expect(linesOf(`${file}.1`)).toHaveLength(2);
  });
});
