// Files of an account, brought here through cuts, and none twice.
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DownloadContext, keepFile } from '../../../lib/sdk/openai-account/download.js';
import { openAccount } from '../../../lib/sdk/openai-account/index.js';
import { openStore } from '../../../lib/sdk/openai-account/store.js';
import { ACCOUNT_KEY, type FakeAccount, openFakeAccount } from '../../support/fake-account.js';
import { createHastyClock } from '../../support/hasty-clock.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { until } from '../../support/until.js';

const root = temporaryFolder('svc-account');
const CONTENT = Buffer.from(Array.from({ length: 5000 }, (_, line) => `{"text":"row ${line}"}\n`).join(''));
let fake: FakeAccount;
let folder: string;
let made = 0;
beforeEach(async () => {
  fake = await openFakeAccount();
  fake.files.set('file-a', { filename: 'rows.jsonl', content: CONTENT });
  folder = join(root, String(made++));
});
afterEach(() => fake.close());

async function open(): Promise<DownloadContext> {
  const clock = createHastyClock();
  const { signal } = new AbortController();
  const account = openAccount({ baseUrl: fake.url, apiKey: ACCOUNT_KEY, clock, signal });
  return { account, store: await openStore(folder), clock, signal, onProgress: () => {} };
}

const keep = async (id = 'file-a') => keepFile(await open(), id, '.jsonl');
const PATH = 'files/file-a-rows.jsonl';
const read = () => readFileSync(join(folder, PATH));
const ranges = () =>
  fake.requests.filter(({ path }) => path.endsWith('content')).map(({ headers }) => headers.range);

/** Sends these bytes of the first answers, cuts the connection once they are on the disk, and then sends as usual. */
function cutAfter(...sizes: number[]): void {
  const total = CONTENT.length;
  fake.intercept = async ({ path, headers }, response) => {
    const size = path.endsWith('content') ? sizes.shift() : undefined;
    if (size === undefined) return false;
    const from = Number(/\d+/.exec(headers.range ?? '0')![0]);
    const range = { 'content-range': `bytes ${from}-${total - 1}/${total}`, 'content-length': total - from };
    response.writeHead(from === 0 ? 200 : 206, range).flushHeaders();
    response.write(CONTENT.subarray(from, from + size));
    const part = join(folder, 'files/.file-a.part');
    if (size > 0) await until(() => existsSync(part) && statSync(part).size).toBe(from + size);
    // A reset could overtake the head.
    if (size > 0) response.destroy();
    else response.socket?.end();
    return true;
  };
}

describe('a file', () => {
  it('arrives whole through several cuts, each continued where it broke off', async () => {
    cutAfter(1000, 500);
    expect(await keep()).toMatchObject({
      state: 'downloaded',
      note: { bytes: CONTENT.length, filename: 'rows.jsonl' },
    });
    expect(read().equals(CONTENT)).toBe(true);
    expect(ranges()).toEqual([undefined, 'bytes=1000-', 'bytes=1500-']);
  });

  it('starts over where the server has no ranges, or sends another one', async () => {
    fake.hasRanges = false;
    cutAfter(1000);
    await keep();
    expect(read().equals(CONTENT)).toBe(true);
    fake.intercept = ({ path, headers }, response) => {
      if (!path.endsWith('content') || headers.range === undefined) return false;
      response.writeHead(206, { 'content-range': `bytes 7-9/10` }).end('xyz');
      return true;
    };
    fake.files.set('file-b', { filename: 'b', content: `${CONTENT}b` });
    writeFileSync(join(folder, 'files/.file-b.part'), 'begun');
    expect(await keep('file-b')).toMatchObject({ state: 'downloaded', note: { bytes: CONTENT.length + 1 } });
  });

  it('that a killed process left is continued, and one that was complete needs no further byte', async () => {
    await open();
    const part = join(folder, 'files/.file-a.part');
    writeFileSync(part, CONTENT.subarray(0, 4321));
    await keep();
    expect(ranges()).toEqual(['bytes=4321-']);
    expect(read().equals(CONTENT)).toBe(true);
    fake.files.set('file-c', { filename: 'c.jsonl', content: 'whole\n' });
    writeFileSync(join(folder, 'files/.file-c.part'), 'whole\n');
    let sent = 0;
    fake.intercept = ({ path }, response) => {
      if (path.endsWith('content')) response.once('finish', () => (sent = response.statusCode));
      return false;
    };
    expect(await keep('file-c')).toMatchObject({ state: 'downloaded', note: { bytes: 6 } });
    expect(sent).toBe(416);
  });

  it('that has grown beyond what the account has is begun again', async () => {
    await open();
    writeFileSync(join(folder, 'files/.file-a.part'), `${CONTENT}and more`);
    await keep();
    expect(read().equals(CONTENT)).toBe(true);
  });

  it('that is noted but has no name yet gets it without being sent again', async () => {
    const kept = await keep();
    const store = await openStore(folder);
    writeFileSync(store.partPath('file-a'), CONTENT);
    rmSync(join(folder, PATH));
    fake.requests.length = 0;
    expect(await keep()).toMatchObject({ state: 'downloaded', note: (kept as { note: object }).note });
    expect(ranges()).toEqual([`bytes=${CONTENT.length}-`]);
  });

  it('gives up where nothing arrives any more, and keeps what has', async () => {
    cutAfter(1000, ...Array.from({ length: 20 }, () => 0));
    await expect(keep()).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('to continue'),
    });
    expect(readFileSync(join(folder, 'files/.file-a.part'))).toHaveLength(1000);
  });

  it('whose size the account tells wrongly is kept as it comes', async () => {
    fake.files.set('file-a', { filename: 'rows.jsonl', content: CONTENT, bytes: 3 });
    expect(await keep()).toMatchObject({ state: 'downloaded', note: { bytes: CONTENT.length } });
  });

  it('that is there already is not asked for; a changed one is left alone', async () => {
    await keep();
    fake.requests.length = 0;
    expect(await keep()).toMatchObject({ state: 'here' });
    appendFileSync(join(folder, PATH), 'x');
    expect(await keep()).toMatchObject({ state: 'changed' });
    expect(fake.requests).toEqual([]);
  });

  it('does not take the place of a file that svc did not write', async () => {
    await open();
    writeFileSync(join(folder, PATH), 'mine');
    const kept = await keep();
    expect(kept).toMatchObject({
      state: 'downloaded',
      note: { name: expect.stringMatching(/^file-a-[0-9a-f]{8}-rows\.jsonl$/) },
    });
    expect(read().toString()).toBe('mine');
    expect(readdirSync(join(folder, 'files')).filter(name => name.endsWith('.part'))).toEqual([]);
  });
});
