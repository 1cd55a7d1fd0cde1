// The door for workers elsewhere: a scripted worker claims attempts of a real cloud's jobs, over HTTP's own requests.
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createRunApi } from '../../../lib/cloud/runs/run-api.js';
import type { JobRunner, RemoteAttempt } from '../../../lib/cloud/seams/runner.js';
import { StorageFault } from '../../../lib/cloud/store/storage-fault.js';
import type { Claim, Job, JobConfigInput, ReportAnswer } from '../../../lib/contract/index.js';
import { encodeEntries, encodeHeader } from '../../../lib/engine/train/row-losses/format.js';
import { readTar, toTarBlob } from '../../../lib/tar/index.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { until } from '../../support/until.js';
import { openTestJobs, type TestJobs, type TestOptions } from '../jobs/test-jobs.js';

const ROWS = Array.from({ length: 4 }, (_, i) =>
  JSON.stringify({ prompt: `How much is ${i} and 1?`, completion: `${i + 1}` }),
).join('\n');
const at = new Date(0).toISOString();
const log = (step: number) => ({ type: 'training.log', timestamp: at, step, loss: 1 / step });
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Leaves every attempt to whoever claims it. */
function elsewhere() {
  const attempts: RemoteAttempt[] = [];
  const follow: JobRunner['start'] = (_, desk) => {
    let leave = () => {};
    const left = new Promise<{ status: 'paused' }>(resolve => {
      leave = () => resolve({ status: 'paused' });
    });
    const ended = desk.admit().then(attempt => {
      attempts.push(attempt);
      const reported = attempt.ended.then(end => (end === 'lapsed' ? { status: 'failed' as const } : end));
      return Promise.race([reported, left]);
    });
    return {
      ended: ended.then(end => ({ exitCode: null, signal: null, ...end }) as never),
      cancel: () => attempts.at(-1)?.want('cancel'),
      pause: () => attempts.at(-1)?.want('pause'),
      kill: leave,
      detach: leave,
    };
  };
  return { runner: { start: follow, attach: follow } satisfies JobRunner, attempts };
}

let modelFolder: string;
let test: TestJobs;
beforeAll(async () => {
  modelFolder = await makeModelFolder();
});
afterEach(() => test.close());
afterAll(() => rm(modelFolder, { recursive: true }));

function knock(url: string, path: string, token: string, init: RequestInit = {}) {
  const api = createRunApi({ ...test.jobs.remote, guard: () => {}, deps: { log: () => {} } });
  const headers = { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) };
  return api(new Request(`http://cloud${url}/${path}`, { ...init, headers }))!;
}

function post(url: string, path: string, token: string, body: unknown) {
  const headers = { 'content-type': 'application/json' };
  return knock(url, path, token, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function claim({ url, claimToken }: Pick<RemoteAttempt, 'url' | 'claimToken'>): Promise<Claim> {
  const about = { worker: '10.0.0.7', pid: 1, versions: {}, gpus: 0 };
  const response = await post(url, 'claim', claimToken!, about);
  expect(response.status).toBe(200);
  return (await response.json()) as Claim;
}

async function report(url: string, token: string, body: object): Promise<ReportAnswer> {
  const response = await post(url, 'report', token, body);
  expect(response.status).toBe(200);
  return (await response.json()) as ReportAnswer;
}

async function open(options: TestOptions = {}, config: Partial<JobConfigInput> = {}) {
  const { runner, attempts } = elsewhere();
  test = await openTestJobs(runner, { modelFolder, ...options });
  await test.jobs.start();
  const datasetId = await test.upload(ROWS);
  const job = await test.create({ datasetSource: { type: 'upload', datasetId }, saveSteps: 1, ...config });
  await until(() => attempts.length).toBe(1);
  const [attempt] = attempts as [RemoteAttempt];
  return { job, attempt, attempts, url: attempt.url };
}

async function saveFolder(
  url: string,
  token: string,
  name: string,
  files: Record<string, string | Uint8Array<ArrayBuffer>>,
) {
  const list = Object.entries(files).map(([file, part]) => ({ name: file, content: new Blob([part]) }));
  const bytes = new Uint8Array(await toTarBlob(list).arrayBuffer());
  const headers = { 'content-type': 'application/octet-stream', 'x-svc-sha256': digest(bytes) };
  return knock(url, `folders/${name}`, token, { method: 'POST', headers, body: bytes });
}

async function namesAndTexts(tar: Uint8Array<ArrayBuffer>): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { path, content } of readTar(new Blob([tar]).stream())) found[path] = await text(content);
  return found;
}

const ADAPTER = { 'adapter_config.json': '{}', 'adapter_model.safetensors': 'tensors' };
const artifact = (name: string, kind: string, step: number) => ({
  name,
  kind,
  step,
  bytes: 9,
  sha256: 'a'.repeat(64),
});

/** Of row losses, after which an entry may be incomplete. */
const HEADER = Buffer.from(encodeHeader({ every: 1 })).toString();

const MANIFEST = {
  format: 1,
  data: { training: { digest: 'd', rows: 4 }, evaluation: null },
  weights: 'f32',
  options: {},
  environments: [],
};

describe('a worker elsewhere', () => {
  it('gets the files of its attempt by digest, from any byte on', async () => {
    const { url, attempt } = await open();
    const { token, rows, model, initial, resume } = await claim(attempt);
    expect(resume).toBeNull();
    expect(rows).toMatchObject({ data: [{ rows: 4 }], fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const asked = [
      ['rows/training', rows.training],
      ['initial', initial],
      ['model/config.json', model.files.find(({ name }) => name === 'config.json')!],
    ] as const;
    for (const [path, facts] of asked) {
      const whole = new Uint8Array(await (await knock(url, path, token)).arrayBuffer());
      expect([whole.length, digest(whole)]).toEqual([facts.bytes, facts.sha256]);
      const rest = await knock(url, path, token, { headers: { range: 'bytes=5-' } });
      expect(rest.status).toBe(206);
      expect(digest(new Uint8Array(await rest.arrayBuffer()))).toBe(digest(whole.subarray(5)));
    }
    for (const path of ['model/../../cloud.db', 'model/none.json', 'rows/evaluation', 'checkpoint'])
      expect((await knock(url, path, token)).status).not.toBe(200);
  });

  it('reports to the job’s log; what is sent again is recorded once', async () => {
    const { url, attempt, job } = await open();
    const { token } = await claim(attempt);
    expect(await report(url, token, { from: 0, events: [log(1), log(2)] })).toMatchObject({
      next: 2,
      want: 'go',
    });
    expect(await report(url, token, { from: 1, events: [log(2), log(3)] })).toMatchObject({ next: 3 });
    const missing = await post(url, 'report', token, { from: 5, events: [] });
    expect(missing.status).toBe(409);
    expect(await missing.json()).toMatchObject({ error: { code: 'events_missing' }, next: 3 });
    await saveFolder(url, token, 'final', ADAPTER);
    const completed = {
      type: 'training.completed',
      timestamp: at,
      artifacts: [artifact('final', 'final', 3)],
      metrics: {},
    };
    await report(url, token, { from: 3, events: [completed], ended: { status: 'completed' } });
    expect(await test.until(job.id, 'completed')).toMatchObject({ step: 3, artifactCount: 1 });
    const steps = (await test.events(job.id)).flatMap(event =>
      event.type === 'training.log' ? [event.step] : [],
    );
    expect(steps).toEqual([1, 2, 3]);
    expect((await post(url, 'report', token, { from: 4, events: [] })).status).toBe(401);
  });

  it('ends the claim before it, and resumes from the last recorded checkpoint', async () => {
    const { url, attempt, job } = await open();
    const first = await claim(attempt);
    const state = { ...ADAPTER, 'trainer_state.json': '{}' };
    await saveFolder(url, first.token, 'checkpoint-1', { ...state, 'row-losses.bin': `${HEADER}of step 1` });
    const saved = {
      type: 'checkpoint.saved',
      timestamp: at,
      step: 1,
      artifacts: [artifact('checkpoint-1', 'checkpoint', 1)],
    };
    await report(url, first.token, { from: 0, events: [log(1), saved, log(2)] });
    await saveFolder(url, first.token, 'checkpoint-2', {
      ...ADAPTER,
      'row-losses.bin': `${HEADER}of both steps`,
    });
    const second = await claim(attempt);
    expect(second.resume).toMatchObject({ step: 1 });
    const tar = new Uint8Array(await (await knock(url, 'checkpoint', second.token)).arrayBuffer());
    expect(digest(tar)).toBe(second.resume!.sha256);
    // The later ones have what the worker needs of the earlier.
    expect(await namesAndTexts(tar)).toEqual({ ...state, 'row-losses.bin': `${HEADER}of both steps` });
    const zombie = await post(url, 'report', first.token, { from: 3, events: [log(3)] });
    expect([zombie.status, ((await zombie.json()) as { error: { code: string } }).error.code]).toEqual([
      401,
      'run_token_invalid',
    ]);
    expect((await saveFolder(url, first.token, 'final', ADAPTER)).status).toBe(401);
    await report(url, second.token, { from: 0, events: [log(2), log(3)] });
    const steps = (await test.events(job.id)).flatMap(event =>
      event.type === 'training.log' ? [event.step] : [],
    );
    expect(steps).toEqual([1, 2, 3]);
  });

  it('is refused without a token, with another attempt’s, and with a damaged or foreign folder', async () => {
    const { url, attempt } = await open();
    const { token } = await claim(attempt);
    expect((await post(url, 'report', attempt.claimToken!, { from: 0, events: [] })).status).toBe(401);
    expect((await post(url.replace(/1$/, '2'), 'report', token, { from: 0, events: [] })).status).toBe(401);
    expect((await saveFolder(url, token, 'adapters', ADAPTER)).status).toBe(400);
    expect((await saveFolder(url, token, 'final', { '../x': 'y', ...ADAPTER })).status).toBe(400);
    const headers = { 'content-type': 'application/octet-stream', 'x-svc-sha256': 'b'.repeat(64) };
    const body = new Uint8Array(1024);
    expect((await knock(url, 'folders/final', token, { method: 'POST', headers, body })).status).toBe(400);
    const end = { type: 'end', timestamp: at, status: 'completed' };
    expect((await post(url, 'report', token, { from: 0, events: [end] })).status).toBe(400);
  });

  it('completes no job without the adapter that it has saved', async () => {
    const { url, attempt, job } = await open();
    const { token } = await claim(attempt);
    const complete = (artifacts: object[]) =>
      post(url, 'report', token, {
        from: 0,
        events: [{ type: 'training.completed', timestamp: at, artifacts, metrics: {} }],
      });
    const final = artifact('final', 'final', 3);
    for (const artifacts of [[], [artifact('checkpoint-1', 'checkpoint', 1)], [final, final], [final]]) {
      const refused = await complete(artifacts);
      expect([refused.status, await refused.json()]).toMatchObject([400, { error: { param: 'events[0]' } }]);
    }
    await saveFolder(url, token, 'final', ADAPTER);
    expect((await complete([final])).status).toBe(200);
    expect(await test.until(job.id, 'completed')).toMatchObject({ artifactCount: 1 });
  });

  it('may complete a dry run without an adapter', async () => {
    const { url, attempt, job } = await open({}, { dryRun: true });
    const { token } = await claim(attempt);
    const completed = { type: 'training.completed', timestamp: at, artifacts: [], metrics: {} };
    await report(url, token, { from: 0, events: [completed], ended: { status: 'completed' } });
    expect(await test.until(job.id, 'completed')).toMatchObject({ artifactCount: 0 });
  });

  it('saves no folder with a broken manifest', async () => {
    const { url, attempt, job } = await open();
    const { token } = await claim(attempt);
    const save = (manifest: string) =>
      saveFolder(url, token, 'checkpoint-1', { ...ADAPTER, 'run-manifest.json': manifest });
    const large = JSON.stringify({ ...MANIFEST, more: 'x'.repeat(2 ** 20) });
    for (const broken of ['', '{', 'null', '[]', '{}', JSON.stringify({ ...MANIFEST, data: 5 }), large]) {
      const refused = await save(broken);
      expect([refused.status, await refused.json()]).toMatchObject([
        400,
        { error: { code: 'invalid_value', message: expect.stringContaining('run-manifest.json') } },
      ]);
    }
    expect((await save(JSON.stringify(MANIFEST))).status).toBe(200);
    const { manifest } = await test.json<{ manifest: object }>('GET', `/v1/jobs/${job.id}/manifest`);
    expect(manifest).toMatchObject({ run: { weights: 'f32' } });
  });

  it('saves no folder with broken row losses', async () => {
    const { url, attempt, job } = await open();
    const { token } = await claim(attempt);
    const fileOf = (entry: Partial<Parameters<typeof encodeEntries>[0][number]>) => {
      const whole = encodeEntries([{ step: 1, row: 0, labels: 2, loss: 0.5, ...entry }]);
      return Buffer.concat([encodeHeader({ every: 1 }), whole]);
    };
    const save = (losses: Uint8Array) =>
      saveFolder(url, token, 'checkpoint-1', { ...ADAPTER, 'row-losses.bin': new Uint8Array(losses) });
    for (const broken of [
      new Uint8Array(),
      new Uint8Array(32),
      fileOf({ loss: Number.NaN }),
      fileOf({ loss: Number.POSITIVE_INFINITY }),
      fileOf({ step: 0 }),
    ]) {
      const refused = await save(broken);
      expect([refused.status, await refused.json()]).toMatchObject([
        400,
        { error: { code: 'invalid_value', message: expect.stringContaining('row-losses.bin') } },
      ]);
    }
    expect((await save(fileOf({}))).status).toBe(200);
    expect(await test.json('GET', `/v1/jobs/${job.id}/rows`)).toMatchObject({ recorded: 1 });
  });

  it('is followed by another one once the storage works again, if it fails at the end of an attempt', async () => {
    let isBroken = false;
    const { url, attempt, attempts, job } = await open({
      wrapDb: db =>
        new Proxy(db, {
          get(target, key) {
            if (isBroken && key === 'deleteFrom') throw new StorageFault({ code: 'SQLITE_IOERR' });
            const member = Reflect.get(target, key);
            return typeof member === 'function' ? member.bind(target) : member;
          },
        }),
    });
    const { token } = await claim(attempt);
    isBroken = true;
    await report(url, token, { from: 0, events: [log(1)], ended: { status: 'paused' } });
    const find = async () => (await test.json<{ job: Job }>('GET', `/v1/jobs/${job.id}`)).job;
    await until(async () => (await find()).waitingFor).toMatch('storage failed');
    isBroken = false;
    await until(() => attempts).toHaveLength(2);
    expect(await find()).toMatchObject({ status: 'running', step: 1 });
  });

  it('goes on with a cloud that was started again, as the same attempt', async () => {
    const { url, attempt, job } = await open();
    const { token } = await claim(attempt);
    await report(url, token, { from: 0, events: [log(1)] });
    const again = elsewhere();
    test = await test.reopen(again.runner);
    await test.jobs.start();
    await until(() => again.attempts).toHaveLength(1);
    expect(again.attempts[0]).toMatchObject({ url, claimToken: null });
    expect(await report(url, token, { from: 0, events: [log(1), log(2)] })).toMatchObject({ next: 2 });
    await test.json('POST', `/v1/jobs/${job.id}/cancel`);
    expect(await report(url, token, { from: 2, events: [] })).toMatchObject({ want: 'cancel' });
    await report(url, token, { from: 2, events: [], ended: { status: 'cancelled' } });
    const steps = (await test.events(job.id)).flatMap(event =>
      event.type === 'training.log' ? [event.step] : [],
    );
    expect(steps).toEqual([1, 2]);
  });
});
