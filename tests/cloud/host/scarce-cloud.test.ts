// A real cloud that may open few files, beside callers that hold far more connections than that, and out of files.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createCloudClient } from '../../../lib/client/index.js';
import type { CloudFile } from '../../../lib/contract/index.js';
import { findTestProgram } from '../../support/test-program.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { until } from '../../support/until.js';

const FILES = 256;
const HOLDERS = FILES + 100;
const ROWS = '{"text":"a b c"}\n'.repeat(20);
const TOO_MANY_FILES = 'The cloud has too many open files.';

let model: string;
let folder: string;
let served: ChildProcessWithoutNullStreams;
let cloud: ReturnType<typeof createCloudClient>;
let port: number;
let secret: string;
let lines: AsyncIterableIterator<string>;
let datasetSource: { type: 'upload'; datasetId: string };
let token: string;
let scope: { orgSlug: string; projectSlug: string };
const sockets: Socket[] = [];

/** Sends an order and waits until it was carried out. */
async function order(what: 'take' | 'free'): Promise<void> {
  served.stdin.write(`${what}\n`);
  expect((await lines.next()).value).toBe(what);
}

describe.skipIf(process.platform === 'win32')('a cloud that may open few files', { shuffle: false }, () => {
  beforeAll(async () => {
    model = await makeModelFolder();
    folder = await mkdtemp(join(tmpdir(), 'svc-scarce-'));
    const { path, execArgv } = await findTestProgram(
      fileURLToPath(new URL('scarce-cloud.ts', import.meta.url)),
    );
    const limited = ['-c', `ulimit -n ${FILES} && exec "$0" "$@"`, process.execPath];
    served = spawn('sh', [...limited, ...execArgv, path, folder, model], { stdio: 'pipe' });
    served.stderr.pipe(process.stderr);
    lines = createInterface(served.stdout)[Symbol.asyncIterator]();
    const baseUrl = (await lines.next()).value as string;
    const file = JSON.parse(await readFile(join(folder, 'cloud.json'), 'utf8')) as CloudFile;
    ({ port, secret } = file);
    const identity = await createCloudClient({ baseUrl }).signUpAnonymously(secret);
    token = identity.token;
    scope = { orgSlug: identity.personalOrg.slug, projectSlug: 'mine' };
    await createCloudClient({ baseUrl, token }).createProject(scope.orgSlug, { name: 'Mine', slug: 'mine' });
    cloud = createCloudClient({ baseUrl, token, scope });
    const { dataset } = await cloud.uploadDataset('rows.jsonl', ROWS);
    datasetSource = { type: 'upload', datasetId: dataset.id };
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  afterAll(async () => {
    served.stdin.end();
    await once(served, 'exit');
    for (const path of [model, folder]) await rm(path, { recursive: true });
  });

  /** Takes connections, each with these bytes. */
  async function hold(bytes: string): Promise<void> {
    for (let i = 0; i < HOLDERS; i++) {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      sockets.push(socket);
      await once(socket, 'connect');
      socket.resume().write(bytes);
    }
  }

  async function train(maxSteps: number): Promise<string> {
    const config = { model: 'test/model', datasetSource, maxSteps, loraR: 4, batchSize: 4 };
    return (await cloud.createJob({ name: 'scarce', config })).job.id;
  }

  const find = async (id: string) => (await cloud.getJob(id)).job;
  const problems = async () => (await cloud.getHealth(secret)).problems;

  // It comes first, while no connection of another test may still be closing, which frees its file.
  it('a job waits while no process can be started for want of files, and then completes', async () => {
    await order('take');
    const id = await train(2);
    await until(async () => (await find(id)).waitingFor).toBe(TOO_MANY_FILES);
    expect(await problems()).toEqual([{ part: 'store', message: TOO_MANY_FILES }]);
    await order('free');
    await until(async () => (await find(id)).status).toBe('completed');
    await until(problems).toBeUndefined();
  });

  describe('beside more connections than it may open files', () => {
    it('without a request or with half a head, it is healthy, and takes and completes a job', async () => {
      for (const bytes of ['', 'GET /v1/me HTTP/1.1\r\nHost: loc']) {
        await hold(bytes);
        expect(await problems()).toBeUndefined();
      }
      const id = await train(2);
      await until(async () => (await find(id)).status).toBe('completed');
    });

    it('that all read the events of a job, it says so, and answers other requests', async () => {
      const id = await train(1_000_000);
      const path = `/v1/jobs/${id}/events/stream?orgSlug=${scope.orgSlug}&projectSlug=mine`;
      await hold(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
      await until(() => sockets.every(({ bytesRead, closed }) => bytesRead > 0 || closed)).toBe(true);
      await until(problems).toEqual([{ part: 'connections', message: 'All connections are in use.' }]);
      await cloud.cancelJob(id);
      await until(async () => (await find(id)).status).toBe('cancelled');
      await until(problems).toBeUndefined();
    });
  });
});
