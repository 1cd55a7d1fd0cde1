// Uploads over real sockets that fail: nothing of them stays on disk.
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listen } from '../../../lib/http/index.js';
import type { Listening } from '../../../lib/http/listen.js';
import { isAlive } from '../../../lib/sdk/processes.js';
import { findChildren, tellsChildren } from '../../support/child-processes.js';
import { until } from '../../support/until.js';
import { createScriptedRunner } from '../jobs/scripted-runner.js';
import { openTestJobs, scope, type TestJobs } from '../jobs/test-jobs.js';

const LIMIT = 1024 ** 2;
const ROW = '{"text":"a"}\n';

let cloud: TestJobs;
let server: Listening;
beforeEach(async () => {
  cloud = await openTestJobs(createScriptedRunner(), { uploadLimit: LIMIT });
  server = await listen(cloud, { ports: [0] });
});
afterEach(async () => {
  await server.close();
  await cloud.close();
});

const names = (folder: string) => readdir(join(cloud.folder, folder)).catch(() => []);

function startUpload(headers: Record<string, string | number> = {}) {
  const about = { 'content-type': 'application/octet-stream', 'x-filename': 'rows.jsonl', ...headers };
  const at = { host: '127.0.0.1', port: server.port, method: 'POST', path: `/v1/datasets${scope}` };
  const sent = request({ ...at, headers: about });
  const answer = new Promise<number>((resolve, reject) => {
    sent.on('response', response => resolve(response.resume().statusCode!)).on('error', reject);
  });
  answer.catch(() => {});
  return { sent, answer };
}

describe('an upload', () => {
  it.each([
    ['with a Content-Length', { 'content-length': 1000 }],
    ['in chunks', {}],
  ])('that is cut off leaves no files: %s', async (_, headers) => {
    const { sent } = startUpload(headers);
    sent.write(ROW);
    await until(() => names('uploads')).toHaveLength(1);
    sent.destroy();
    await until(() => names('uploads')).toEqual([]);
    expect([await names('datasets'), cloud.log]).toEqual([[], []]);
  });

  it('that exceeds the limit without a Content-Length answers 413 and leaves no files', async () => {
    const { sent, answer } = startUpload();
    for (let bytes = 0; bytes <= LIMIT; bytes += 64 * 1024) sent.write(Buffer.alloc(64 * 1024, ROW));
    expect(await answer).toBe(413);
    await until(() => names('uploads')).toEqual([]);
    expect(await names('datasets')).toEqual([]);
    sent.destroy();
  });
});

describe.runIf(tellsChildren)('the rows of an upload', () => {
  /** Those of other tests may still be ending. */
  let readers: number[];
  const tell = (signal: NodeJS.Signals) => {
    for (const pid of readers) if (isAlive(pid)) process.kill(pid, signal);
  };
  beforeEach(async () => {
    await cloud.upload(ROW);
    readers = findChildren('file-worker');
    tell('SIGSTOP');
  });
  afterEach(() => tell('SIGCONT'));

  it('are counted by another process, so the cloud keeps answering', async () => {
    const { sent, answer } = startUpload();
    sent.end('{"text":"b"}\n');
    await until(() => names('uploads')).toHaveLength(1);
    expect((await cloud.call('GET', '/v1/jobs')).status).toBe(200);
    expect(await names('datasets')).toHaveLength(1);
    tell('SIGCONT');
    expect(await answer).toBe(201);
    expect(await names('datasets')).toHaveLength(2);
  });

  it('are not waited for once the client disconnects', async () => {
    const { sent } = startUpload();
    sent.end('{"text":"b"}\n');
    await until(() => names('uploads')).toHaveLength(1);
    sent.destroy();
    await until(() => names('uploads')).toEqual([]);
    expect(await names('datasets')).toHaveLength(1);
  });
});
