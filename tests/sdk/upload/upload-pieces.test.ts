// A file on its way to a real cloud in a process of its own, with connections, clients and clouds that fail.

import { type ChildProcess, fork } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { baseModelFolder } from '../../../lib/base-model/index.js';
import { type CloudClient, createCloudClient } from '../../../lib/client/index.js';
import { patientFetch } from '../../../lib/client/node.js';
import type { DatasetSource, Scope } from '../../../lib/contract/index.js';
import {
  nextPiece,
  toDatasetSource,
  type UploadContext,
  type UploadProgress,
} from '../../../lib/sdk/trainer/upload-dataset.js';
import { next, start } from '../../bench/cloud/with-server.js';
import { createHastyClock } from '../../support/hasty-clock.js';
import { openServer } from '../../support/listening.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { findTestProgram } from '../../support/test-program.js';
import { openFakeCloud } from '../support.js';

const MB = 1024 ** 2;
const BYTES = 12 * MB;

const folder = temporaryFolder('svc-pieces');
const data = join(folder, 'cloud');
const path = join(folder, 'rows.jsonl');
let digest: string;
let server: { child: ChildProcess; url: string };
let token: string;
let scope: Scope;

const startCloud = async () => {
  const child = await start('server.ts', [data, baseModelFolder()]);
  return { child, url: (await next<{ url: string }>(child, 'ready')).url };
};
const isAlive = ({ child }: { child: ChildProcess }) => child.exitCode === null && child.signalCode === null;
const kill = async ({ child }: { child: ChildProcess }) => {
  if (!isAlive({ child })) return;
  const ended = new Promise(resolve => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
};

beforeAll(async () => {
  await mkdir(data);
  server = await startCloud();
});
beforeEach(async () => {
  if (!isAlive(server)) server = await startCloud();
  const row = () => `${JSON.stringify({ text: randomBytes(3000).toString('base64') })}\n`;
  const rows = Buffer.from(Array.from({ length: Math.ceil(BYTES / 4000) }, row).join(''));
  digest = createHash('sha256').update(rows).digest('hex');
  await writeFile(path, rows);
  const made = await createCloudClient({ baseUrl: server.url }).signUpAnonymously();
  token = made.token;
  scope = { orgSlug: made.personalOrg.slug, projectSlug: 'one' };
  await client().createProject(scope.orgSlug, { name: 'One', slug: 'one' });
});
afterAll(() => kill(server));

function client(options: { baseUrl?: string; fetch?: typeof fetch } = {}): CloudClient {
  return createCloudClient({ baseUrl: server.url, token, scope, ...options });
}

async function upload(options: Partial<UploadContext> = {}) {
  const seen: UploadProgress[] = [];
  const context: UploadContext = {
    folder,
    cloud: async () => client(),
    onUpload: progress => seen.push(progress),
    wholeBytes: 1000,
    clock: createHastyClock(),
    ...options,
  };
  const source = await toDatasetSource({ type: 'file', path: 'rows.jsonl' }, context);
  const sending = seen.filter(({ stage, problem }) => stage === 'sending' && problem === undefined);
  const sent = sending.map(({ done }) => done);
  expect(sent).toEqual(sent.toSorted((a, b) => a - b));
  return { source, seen, sent };
}

async function expectStored(source: DatasetSource): Promise<void> {
  expect(source).toEqual({ type: 'upload', datasetId: expect.any(String) });
  expect(await readdir(join(data, 'datasets'))).toContain(digest);
  expect((await readdir(join(data, 'uploads'))).filter(name => name.includes(digest))).toEqual([]);
  expect((await readFile(join(data, 'datasets', digest))).equals(await readFile(path))).toBe(true);
}

describe('a large file', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  it('arrives in pieces, which is told, and need not be sent again', async () => {
    const { source, seen, sent } = await upload();
    await expectStored(source);
    expect(sent[0]).toBe(0);
    expect(sent.at(-1)).toBe((await readFile(path)).length);
    expect([...new Set(seen.map(({ stage }) => stage))]).toEqual(['reading', 'sending', 'counting']);
    expect((await upload()).sent).toEqual([sent.at(-1)]);
  });

  it('goes on where the connection was cut', async () => {
    const proxy = await cutConnections(server.url, [3 * MB, 2 * MB, 4 * MB]);
    onTestFinished(proxy.close);
    const { source, seen, sent } = await upload({ cloud: async () => client({ baseUrl: proxy.url }) });
    await expectStored(source);
    expect(proxy.cuts()).toBe(3);
    expect(seen.filter(({ problem }) => problem).length).toBeGreaterThanOrEqual(3);
    expect(sent.filter(done => done === 0)).toHaveLength(1);
  });

  it('goes on after kill -9 of the client', async () => {
    const words = [server.url, token, JSON.stringify(scope), path, '2'];
    const { path: program, execArgv } = await findTestProgram(join(import.meta.dirname, 'upload-once.ts'));
    const child = fork(program, words, { execArgv });
    await new Promise(resolve => child.once('message', resolve));
    await kill({ child });
    const { source, sent } = await upload();
    await expectStored(source);
    // More than one piece; the second is smaller if the first was slow.
    expect(sent[0]).toBeGreaterThan(MB);
  });

  /** Connects to the cloud, which is started again if it was killed. */
  const reviving = (send: typeof fetch) => async () => {
    if (!isAlive(server)) server = await startCloud();
    return client({ fetch: send });
  };

  it('goes on after kill -9 of the cloud', async () => {
    let pieces = 0;
    const send: typeof fetch = async (input, init) => {
      if (init?.method === 'PATCH' && ++pieces === 3) await kill(server);
      return fetch(input, init);
    };
    const { source, seen } = await upload({ cloud: reviving(send) });
    await expectStored(source);
    const failed = seen.findIndex(({ problem }) => problem !== undefined);
    expect(seen[failed]!.problem).toContain('Cannot reach the cloud');
    expect(seen[failed + 1]).toMatchObject({ stage: 'sending', done: seen[failed]!.done });
  });

  it('goes on after kill -9 of the cloud while it counts the rows', async () => {
    let isKilled = false;
    const send: typeof fetch = async (input, init) => {
      const answer = fetch(input, init);
      answer.catch(() => {});
      if (init?.method === 'POST' && String(input).includes('/v1/uploads') && !isKilled) {
        isKilled = true;
        await kill(server);
      }
      return answer;
    };
    const { source, seen } = await upload({ cloud: reviving(send) });
    expect(isKilled).toBe(true);
    await expectStored(source);
    expect(seen.map(({ stage }) => stage)).toContain('counting');
  });

  it('is not waited for without end, and says how much has arrived', async () => {
    const stuck: typeof fetch = async (input, init) => {
      if (init?.method === 'PATCH') throw new TypeError('fetch failed');
      return fetch(input, init);
    };
    const clock = createHastyClock();
    const failing = upload({ cloud: async () => client({ fetch: stuck }), clock });
    await expect(failing).rejects.toMatchObject({
      code: 'cloud_unreachable',
      message: expect.stringContaining('0 % of rows.jsonl was uploaded; start again within a day'),
    });
    expect(clock.elapsed()).toBeGreaterThan(10 * 60_000);
    expect(clock.elapsed()).toBeLessThan(10 * 60_000 + 15_000);
  });

  it('is refused for good if its rows cannot be trained on', async () => {
    await writeFile(path, `${'{"nothing": 1}\n'.repeat(200)}`);
    await expect(upload()).rejects.toMatchObject({ code: 'dataset_invalid', message: expect.any(String) });
  });

  it.each([
    ["Node's fetch", fetch],
    ['its own', patientFetch],
  ])('is given up at once when it changes meanwhile, with %s', async (_, send) => {
    const problems: string[] = [];
    const onUpload = ({ stage, problem }: UploadProgress) => {
      if (stage === 'sending' && problem === undefined) appendFileSync(path, '{"text":"a"}\n');
      if (problem !== undefined) problems.push(problem);
    };
    const failing = upload({ onUpload, cloud: async () => client({ fetch: send }) });
    await expect(failing).rejects.toMatchObject({
      code: 'dataset_invalid',
      message: 'rows.jsonl changed while it was uploaded. Start again.',
    });
    expect(problems).toEqual([]);
  });

  it('ends with the signal', async () => {
    const stop = new AbortController();
    const onUpload = ({ done }: UploadProgress) => done >= MB && stop.abort(new Error('enough'));
    await expect(upload({ signal: stop.signal, onUpload })).rejects.toThrow('enough');
  });
});

it('a file goes to an older cloud at once', async () => {
  const old = await openFakeCloud();
  const { source } = await upload({ cloud: async () => client({ baseUrl: old.url }) });
  expect(source).toEqual({ type: 'upload', datasetId: 'data-1' });
  expect(old.calls.at(-1)).toBe('POST /v1/datasets');
});

it('pieces grow where they are quick, and shrink where they are slow', () => {
  expect([100, 1000, 5000].map(ms => nextPiece(MB, ms))).toEqual([2 * MB, MB, MB / 2]);
  expect(nextPiece(32 * MB, 1)).toBe(32 * MB);
  expect(nextPiece(256 * 1024, 60_000)).toBe(256 * 1024);
});

/** Passes connections on, and cuts one whenever as many bytes have come as the next number says. */
async function cutConnections(url: string, after: number[]) {
  const { hostname, port } = new URL(url);
  let [cuts, room] = [0, after[0]!];
  const proxy: Server = createServer(from => {
    const to = connect(Number(port), hostname);
    const end = () => {
      for (const socket of [from, to]) socket.destroy();
    };
    for (const socket of [from, to]) socket.on('error', end).on('close', end);
    to.pipe(from);
    from.on('data', chunk => {
      room -= chunk.length;
      if (room <= 0 && cuts < after.length) {
        cuts++;
        room = after[cuts] ?? Number.POSITIVE_INFINITY;
        return end();
      }
      if (!to.write(chunk)) from.pause();
    });
    to.on('drain', () => from.resume());
  });
  return { ...(await openServer(proxy)), cuts: () => cuts };
}
