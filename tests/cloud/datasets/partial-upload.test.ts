// Uploads in pieces, over real sockets that fail.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, truncate, utimes, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { listen } from '../../../lib/http/index.js';
import type { Listening } from '../../../lib/http/listen.js';
import { fileHandles } from '../../support/file-handles.js';
import { until } from '../../support/until.js';
import { createScriptedRunner } from '../jobs/scripted-runner.js';
import { openTestJobs, scope, type TestJobs } from '../jobs/test-jobs.js';

const ROWS = Buffer.from(Array.from({ length: 200 }, (_, i) => `{"text":"row ${i}"}\n`).join(''));
const DIGEST = createHash('sha256').update(ROWS).digest('hex');
const OTHER_ORG = '?orgSlug=org-b&projectSlug=one';
const DAY_MS = 24 * 60 * 60 * 1000;

let cloud: TestJobs;
let server: Listening;
beforeEach(async () => {
  cloud = await openTestJobs(createScriptedRunner());
  server = await listen(cloud, { ports: [0] });
});
afterEach(async () => {
  await server.close();
  await cloud.close();
});

const UPLOADS = '/v1/uploads';
const at = (query: string, digest: string, offset?: number | string) =>
  `${UPLOADS}${query}&digest=${digest}${offset === undefined ? '' : `&offset=${offset}`}`;
const partial = () => join(cloud.folder, 'uploads', `org-a.${DIGEST}.upload`);
const names = (folder: string) => readdir(join(cloud.folder, folder)).catch(() => []);

interface Answer {
  upload?: { offset: number | null };
  dataset?: { id: string; sha256: string; rows: number };
  error?: { code: string; message: string };
}

async function read(response: Response) {
  const { upload, error, ...rest } = (await response.json()) as Answer;
  return { status: response.status, offset: upload?.offset, ...rest, ...error };
}

const ask = async (query = scope) => read(await cloud.call('GET', at(query, DIGEST)));
const append = async (offset: number | string, bytes: Uint8Array, digest = DIGEST, query = scope) =>
  read(await cloud.call('PATCH', at(query, digest, offset), bytes));
const finish = async (query = scope, digest = DIGEST) =>
  read(await cloud.call('POST', at(query, digest), undefined, { 'x-filename': 'rows.jsonl' }));

/** A piece that has not arrived completely. */
function sendSlowly(offset: number) {
  const headers = { 'content-type': 'application/octet-stream', 'content-length': 1e6 };
  const path = at(scope, DIGEST, offset);
  const sent = request({ host: '127.0.0.1', port: server.port, method: 'PATCH', path, headers });
  const status = new Promise<number | string>(resolve => {
    sent.on('response', response => resolve(response.resume().statusCode!));
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code!));
  });
  return { sent, status };
}

describe('an upload in pieces', () => {
  it('becomes a data set once all have arrived, though the cloud was killed, and leaves nothing else', async () => {
    expect(await ask()).toMatchObject({ status: 200, offset: null });
    expect(await append(0, ROWS.subarray(0, 1000))).toMatchObject({ status: 200, offset: 1000 });
    cloud = await cloud.reopen(createScriptedRunner(), { killed: true });
    expect((await ask()).offset).toBe(1000);
    expect(await append(1000, ROWS.subarray(1000))).toMatchObject({ offset: ROWS.length });
    expect(await finish()).toMatchObject({ status: 201, dataset: { sha256: DIGEST, rows: 200 } });
    expect([await names('uploads'), await names('datasets')]).toEqual([[], [DIGEST]]);
  });

  it('goes on where a connection was cut', async () => {
    await append(0, ROWS.subarray(0, 1000));
    const { sent } = sendSlowly(1000);
    sent.write(ROWS.subarray(1000, 1700));
    await until(async () => (await ask()).offset).toBe(1700);
    sent.destroy();
    await until(() => cloud.log).toEqual([]);
    expect((await append(1700, ROWS.subarray(1700))).offset).toBe(ROWS.length);
    expect((await finish()).dataset).toMatchObject({ sha256: DIGEST });
  });

  it('is continued by the newest request, although an older one still seems open', async () => {
    const { sent, status } = sendSlowly(0);
    sent.write(ROWS.subarray(0, 500));
    await until(async () => (await ask()).offset).toBe(500);
    expect((await append(500, ROWS.subarray(500))).offset).toBe(ROWS.length);
    sent.end();
    expect([409, 'ECONNRESET', 'EPIPE']).toContain(await status);
    expect((await finish()).dataset).toMatchObject({ sha256: DIGEST });
  });

  it('refuses a piece that does not continue it', async () => {
    await append(0, ROWS.subarray(0, 1000));
    const message = expect.stringContaining('continues at byte 1000');
    for (const offset of [0, 999, 1001])
      expect(await append(offset, ROWS)).toMatchObject({ status: 409, code: 'upload_conflict', message });
    expect((await ask()).offset).toBe(1000);
    expect(await append('-1', ROWS)).toMatchObject({ status: 400, code: 'invalid_value' });
    expect(await append(0, ROWS, '../nope')).toMatchObject({ status: 400, code: 'invalid_value' });
  });

  it('is discarded if it ends as something else than its name says', async () => {
    await append(0, ROWS.subarray(0, 1000));
    expect(await finish()).toMatchObject({ status: 409, code: 'upload_conflict' });
    expect([(await ask()).offset, await names('uploads'), await names('datasets')]).toEqual([null, [], []]);
    expect(await finish()).toMatchObject({ status: 409, code: 'upload_conflict' });
  });

  it.each([
    ['EIO', 1500],
    ['EMFILE', 1500],
    ['ENOSPC', null],
    ['EDQUOT', null],
  ])('is kept after a fault of the machine, unless the disk is full: %s', async (code, offset) => {
    await append(0, ROWS.subarray(0, 1000));
    const fault = Object.assign(new Error('sync'), { code });
    const syncing = vi.spyOn(await fileHandles(), 'sync').mockRejectedValueOnce(fault);
    onTestFinished(() => syncing.mockRestore());
    const refused = { status: 503, code: 'storage_unavailable' };
    expect(await append(1000, ROWS.subarray(1000, 1500))).toMatchObject(refused);
    expect((await ask()).offset).toBe(offset);
  });

  it('may not be larger than one at once', async () => {
    await append(0, ROWS.subarray(0, 10));
    await truncate(partial(), 2 * 1024 ** 3 - 1);
    expect((await append(2 * 1024 ** 3 - 1, ROWS.subarray(0, 2))).status).toBe(413);
  });

  it('need not be sent again by an organization that has it, and is a secret from others', async () => {
    const id = await cloud.upload(ROWS);
    expect((await ask()).offset).toBe(ROWS.length);
    expect((await finish()).dataset?.id).toBe(id);
    expect([await names('uploads'), await names('datasets')]).toEqual([[], [DIGEST]]);
    expect((await ask(OTHER_ORG)).offset).toBeNull();
    expect((await finish(OTHER_ORG)).status).toBe(409);
    await append(0, ROWS.subarray(0, 10), DIGEST, OTHER_ORG);
    expect([(await ask(OTHER_ORG)).offset, (await ask()).offset]).toEqual([10, ROWS.length]);
  });

  it('that cannot be trained on is kept as it is, and says why', async () => {
    const rows = Buffer.from('{"text":"a"}\n{"nothing":1}\n');
    const digest = createHash('sha256').update(rows).digest('hex');
    await append(0, rows, digest);
    expect(await finish(scope, digest)).toMatchObject({ status: 400, code: 'dataset_invalid' });
    expect(await names('datasets')).toEqual([]);
  });
});

describe('an upload that nobody continues', () => {
  const age = async () => {
    await utimes(partial(), cloud.clock.at / 1000, cloud.clock.at / 1000);
    cloud.clock.at += DAY_MS;
  };

  it('is garbage after a day, not before', async () => {
    await append(0, ROWS.subarray(0, 1000));
    await mkdir(join(cloud.folder, 'uploads'), { recursive: true });
    await writeFile(join(cloud.folder, 'uploads', 'left.part'), 'cut off');
    await cloud.jobs.collectGarbage();
    expect(await names('uploads')).toEqual([`org-a.${DIGEST}.upload`]);
    expect(await readFile(partial())).toEqual(ROWS.subarray(0, 1000));
    await age();
    cloud.clock.at--;
    await cloud.jobs.collectGarbage();
    expect(await names('uploads')).toHaveLength(1);
    cloud.clock.at++;
    await cloud.jobs.collectGarbage();
    expect(await names('uploads')).toEqual([]);
  });

  it('is deleted when the next one begins', async () => {
    await append(0, ROWS.subarray(0, 1000));
    await age();
    const other = 'f'.repeat(64);
    await append(0, ROWS, other);
    expect(await names('uploads')).toEqual([`org-a.${other}.upload`]);
  });
});
