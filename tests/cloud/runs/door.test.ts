// The door for workers elsewhere: a scripted worker claims attempts of a real cloud's jobs, over HTTP's own requests.
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { RemoteAttempt } from '../../../lib/cloud/seams/runner.js';
import type { Db } from '../../../lib/cloud/store/db.js';
import { StorageFault } from '../../../lib/cloud/store/storage-fault.js';
import type { Job, JobConfigInput } from '../../../lib/contract/index.js';
import { encodeEntries, encodeHeader } from '../../../lib/engine/train/row-losses/row-loss-file.js';
import { readTar, toTarBlob } from '../../../lib/tar/index.js';
import { createGate } from '../../http/support/routes.js';
import { until } from '../../support/until.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { outline } from '../jobs/jobs-per-test.js';
import type { TestOptions } from '../jobs/test-jobs.js';
import { overwrite } from '../store/overwrite.js';
import { at, cloudWithDoor, digest } from './attempts-elsewhere.js';

const door = cloudWithDoor();
const { knock, post, claim, report, save } = door;

const ROWS = Array.from({ length: 4 }, (_, i) =>
  JSON.stringify({ prompt: `How much is ${i} and 1?`, completion: `${i + 1}` }),
).join('\n');
const log = (step: number) => ({ type: 'training.log', timestamp: at, step, loss: 1 / step });
const artifact = (name: string, kind: string, step: number) => {
  const sha256 = 'a'.repeat(64);
  return { name, kind, step, bytes: 9, sha256 };
};
const started = {
  type: 'training.started',
  timestamp: at,
  ...{ model: 'svc/tiny', dataset: 'rows.jsonl', totalSteps: 10, trainableParameters: 5, trainTokens: 7 },
};
const completed = (artifacts: object[]) => {
  return { type: 'training.completed', timestamp: at, artifacts, metrics: {} };
};
const savedAt = (step: number) => {
  const artifacts = [artifact(`checkpoint-${step}`, 'checkpoint', step)];
  return { type: 'checkpoint.saved', timestamp: at, step, artifacts };
};
const FINAL = artifact('final', 'final', 3);
const ADAPTER = { 'adapter_config.json': '{}', 'adapter_model.safetensors': 'tensors' };
const story = async (id: string) => outline(await door.cloud.events(id));
const find = async (id: string) => (await door.cloud.json<{ job: Job }>('GET', `/v1/jobs/${id}`)).job;

async function open(options: TestOptions = {}, config: Partial<JobConfigInput> = {}) {
  const { jobs, attempts } = await door.open([ROWS], options, { saveSteps: 1, ...config });
  const [attempt] = attempts as [RemoteAttempt];
  return { id: jobs[0]!.id, attempt, attempts, url: attempt.url };
}

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
    const { url, attempt, id } = await open();
    const { token } = await claim(attempt);
    const answer = await report(url, token, { from: 0, events: [log(1), log(2)] });
    expect(answer).toMatchObject({ next: 2, want: 'go' });
    expect(await report(url, token, { from: 1, events: [log(2), log(3)] })).toMatchObject({ next: 3 });
    const missing = await post(url, 'report', token, { from: 5, events: [] });
    const refused = [409, { error: { code: 'events_missing' }, next: 3 }];
    expect([missing.status, await missing.json()]).toMatchObject(refused);
    await save(url, token, 'final', ADAPTER);
    await report(url, token, { from: 3, events: [completed([FINAL])], ended: { status: 'completed' } });
    expect(await door.cloud.until(id, 'completed')).toMatchObject({ step: 3, artifactCount: 1 });
    expect(await story(id)).toBe('log 1-3, completed, end completed');
    expect((await post(url, 'report', token, { from: 4, events: [] })).status).toBe(401);
  });

  it('ends the claim before it, and resumes from the last recorded checkpoint', async () => {
    const { url, attempt, id } = await open();
    const first = await claim(attempt);
    const state = { ...ADAPTER, 'trainer_state.json': '{}' };
    // After the header, an entry may be incomplete.
    const header = Buffer.from(encodeHeader({ every: 1 })).toString();
    await save(url, first.token, 'checkpoint-1', { ...state, 'row-losses.bin': `${header}of step 1` });
    await report(url, first.token, { from: 0, events: [log(1), savedAt(1), log(2)] });
    const later = { ...ADAPTER, 'row-losses.bin': `${header}of both steps` };
    await save(url, first.token, 'checkpoint-2', later);
    const second = await claim(attempt);
    expect(second.resume).toMatchObject({ step: 1 });
    const tar = new Uint8Array(await (await knock(url, 'checkpoint', second.token)).arrayBuffer());
    expect(digest(tar)).toBe(second.resume!.sha256);
    const files: Record<string, string> = {};
    for await (const { path, content } of readTar(new Blob([tar]).stream()))
      files[path] = await text(content);
    // The later ones have what the worker needs of the earlier.
    expect(files).toEqual({ ...state, ...later });
    const zombie = await post(url, 'report', first.token, { from: 3, events: [log(3)] });
    const error = { code: 'run_token_invalid' };
    expect([zombie.status, await zombie.json()]).toMatchObject([401, { error }]);
    expect((await save(url, first.token, 'final', ADAPTER)).status).toBe(401);
    await report(url, second.token, { from: 0, events: [log(2), log(3)] });
    expect(await story(id)).toBe('log 1, saved 1, log 2-3');
  });

  it('that claims again finds the checkpoint packed, as long as it is the last one', async () => {
    const { url, attempt, id } = await open();
    const { token } = await claim(attempt);
    const saveAt = (step: number) => save(url, token, `checkpoint-${step}`, ADAPTER);
    await saveAt(1);
    await saveAt(2);
    await report(url, token, { from: 0, events: [log(1), savedAt(1)] });
    const path = join(door.cloud.folder, 'jobs', id, 'remote', 'resume.tar');
    const claimAgain = async () => ({ ...(await claim(attempt)), inode: (await stat(path)).ino });
    const [first, second] = [await claimAgain(), await claimAgain()];
    expect([second.resume, second.inode]).toEqual([first.resume, first.inode]);
    await rm(path);
    const third = await claimAgain();
    expect(third.resume).toEqual(first.resume);
    await save(url, third.token, 'checkpoint-3', ADAPTER);
    await report(url, third.token, { from: 0, events: [log(3), savedAt(3)] });
    const fourth = await claimAgain();
    expect(fourth.resume).toMatchObject({ step: 3 });
    const tar = new Uint8Array(await (await knock(url, 'checkpoint', fourth.token)).arrayBuffer());
    expect(digest(tar)).toBe(fourth.resume!.sha256);
  });

  it('gets the checkpoint that it resumes from also after the cloud was restarted', async () => {
    const { url, attempt } = await open();
    const first = await claim(attempt);
    await save(url, first.token, 'checkpoint-1', ADAPTER);
    await report(url, first.token, { from: 0, events: [log(1), savedAt(1)] });
    const second = await claim(attempt);
    for (let i = 0; i < 2; i++) {
      const response = await knock(url, 'checkpoint', second.token);
      expect(response.headers.get('x-svc-sha256')).toBe(second.resume!.sha256);
      const tar = new Uint8Array(await response.arrayBuffer());
      expect([response.status, digest(tar)]).toEqual([200, second.resume!.sha256]);
      await door.restart();
    }
    await report(url, second.token, { from: 0, events: [log(2)] });
  });

  it('that has nothing to resume from gets no checkpoint after a restart either', async () => {
    const { url, attempt } = await open();
    const { token } = await claim(attempt);
    await door.restart();
    const refused = await knock(url, 'checkpoint', token);
    const error = { message: 'This run starts at its first step.' };
    expect([refused.status, await refused.json()]).toMatchObject([404, { error }]);
  });

  it('goes on after a restart where its events were acknowledged, also if a sample was recorded with them', async () => {
    const [asked, sampled, held, recorded] = [createGate(), createGate(), createGate(), createGate()];
    let isHeld = false;
    const { url, attempt, id } = await open(
      {
        answerSample: async () => {
          asked.open();
          await sampled.opened;
          return { answer: 'Hello' };
        },
        wrapDb: db =>
          overwrite(db, 'transaction', () => ({
            async execute(act: Parameters<ReturnType<Db['transaction']>['execute']>[0]) {
              if (isHeld) {
                held.open();
                await recorded.opened;
              }
              return db.transaction().execute(act);
            },
          })),
      },
      { samples: [{ messages: [{ role: 'user', content: 'Hi' }] }] },
    );
    const { token } = await claim(attempt);
    await report(url, token, { from: 0, events: [started] });
    await asked.opened;
    isHeld = true;
    // The second one is recorded after the first, together with the sample.
    const reported = report(url, token, { from: 1, events: [log(1), log(2)] });
    reported.catch(() => {});
    await held.opened;
    sampled.open();
    await setImmediate();
    recorded.open();
    expect(await reported).toMatchObject({ next: 3 });
    await door.restart();
    expect(await report(url, token, { from: 3, events: [log(3)] })).toMatchObject({ next: 4 });
    expect(await story(id)).toBe('started, log 1-2, 0/0 Hello, log 3');
  });

  it('leaves the state of its latest recorded checkpoints alone, and the adapters of all', async () => {
    const { url, attempt, id } = await open();
    const { token } = await claim(attempt);
    const state = { 'optimizer.safetensors': 'moments', 'trainer_state.json': '{}', SHA256SUMS: '' };
    const saveAt = (step: number) => save(url, token, `checkpoint-${step}`, { ...ADAPTER, ...state });
    const filesOf = (step: number) => readdir(join(door.cloud.folder, 'jobs', id, `checkpoint-${step}`));
    const whole = [...Object.keys(state), ...Object.keys(ADAPTER)].sort();
    for (let step = 1; step <= 5; step++) {
      await saveAt(step);
      // It is a step ahead of its reports.
      if (step > 1) await report(url, token, { from: step - 2, events: [savedAt(step - 1)] });
    }
    const files = await Promise.all([1, 2, 3, 4, 5].map(filesOf));
    expect(files.map(names => names.sort())).toEqual([
      Object.keys(ADAPTER).sort(),
      ...Array.from({ length: 4 }, () => whole),
    ]);
    expect((await claim(attempt)).resume).toMatchObject({ step: 4 });
  });

  it('is refused with another attempt’s token, with a damaged or foreign folder, and with an end of its own', async () => {
    const { url, attempt } = await open();
    const { token } = await claim(attempt);
    const end = { type: 'end', timestamp: at, status: 'completed' };
    const headers = { 'content-type': 'application/octet-stream', 'x-svc-sha256': 'b'.repeat(64) };
    const damaged = { method: 'POST', headers, body: new Uint8Array(1024) };
    const refused = [
      await post(url.replace(/1$/, '2'), 'report', token, { from: 0, events: [] }),
      await save(url, token, 'adapters', ADAPTER),
      await save(url, token, 'final', { '../x': 'y', ...ADAPTER }),
      await knock(url, 'folders/final', token, damaged),
      await post(url, 'report', token, { from: 0, events: [end] }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 400, 400, 400, 400]);
  });

  it('is told why a folder is refused, and its bytes are read to the end', async () => {
    const { url, attempt } = await open();
    const { token } = await claim(attempt);
    const first = new Uint8Array(await toTarBlob([{ name: '../x', content: new Blob(['y']) }]).arrayBuffer());
    let left = 100;
    const body = new ReadableStream<Uint8Array>({
      start: controller => controller.enqueue(first),
      pull: controller => (left-- > 0 ? controller.enqueue(new Uint8Array(1024)) : controller.close()),
    });
    const headers = { 'content-type': 'application/octet-stream', 'x-svc-sha256': 'b'.repeat(64) };
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
    expect((await knock(url, 'folders/final', token, init)).status).toBe(400);
    await until(() => left).toBe(-1);
  });

  it('completes no job without the adapter that it has saved', async () => {
    const { url, attempt, id } = await open();
    const { token } = await claim(attempt);
    const complete = (artifacts: object[]) =>
      post(url, 'report', token, { from: 0, events: [completed(artifacts)] });
    for (const artifacts of [[], [artifact('checkpoint-1', 'checkpoint', 1)], [FINAL, FINAL], [FINAL]]) {
      const refused = await complete(artifacts);
      expect([refused.status, await refused.json()]).toMatchObject([400, { error: { param: 'events[0]' } }]);
    }
    await save(url, token, 'final', ADAPTER);
    expect((await complete([FINAL])).status).toBe(200);
    expect(await door.cloud.until(id, 'completed')).toMatchObject({ artifactCount: 1 });
  });

  const data = { training: { digest: 'd', rows: 4 }, evaluation: null };
  const MANIFEST = { format: 1, data, weights: 'f32', options: {}, environments: [] };
  const HUGE = JSON.stringify({ ...MANIFEST, more: 'x'.repeat(2 ** 20) });
  const lossesOf = (entry: Partial<Parameters<typeof encodeEntries>[0][number]>) => {
    const whole = encodeEntries([{ step: 1, row: 0, labels: 2, loss: 0.5, ...entry }]);
    return new Uint8Array(Buffer.concat([encodeHeader({ every: 1 }), whole]));
  };

  it.each([
    {
      file: 'run-manifest.json',
      good: JSON.stringify(MANIFEST),
      broken: ['', '{', 'null', '[]', '{}', JSON.stringify({ ...MANIFEST, data: 5 }), HUGE],
      shown: ['manifest', { manifest: { run: { weights: 'f32' } } }],
    },
    {
      file: 'row-losses.bin',
      good: lossesOf({}),
      broken: [
        new Uint8Array(),
        new Uint8Array(32),
        ...[{ step: 0 }, { loss: NaN }, { loss: Infinity }].map(lossesOf),
      ],
      shown: ['rows', { recorded: 1 }],
    },
  ])('saves no folder with a broken $file', async ({ file, good, broken, shown: [route, found] }) => {
    const { url, attempt, id } = await open();
    const { token } = await claim(attempt);
    for (const content of broken) {
      const refused = await save(url, token, 'checkpoint-1', { ...ADAPTER, [file]: content });
      const error = { code: 'invalid_value', message: expect.stringContaining(file) };
      expect([refused.status, await refused.json()]).toMatchObject([400, { error }]);
    }
    expect((await save(url, token, 'checkpoint-1', { ...ADAPTER, [file]: good })).status).toBe(200);
    expect(await door.cloud.json('GET', `/v1/jobs/${id}/${route}`)).toMatchObject(found as object);
  });

  it('is followed by another one once the storage works again, if it fails at the end of an attempt', async () => {
    let isBroken = false;
    const { url, attempt, attempts, id } = await open({
      wrapDb: db =>
        overwrite(db, 'deleteFrom', (table: 'attempts') => {
          if (isBroken) throw new StorageFault({ code: 'SQLITE_IOERR' });
          return db.deleteFrom(table);
        }),
    });
    const { token } = await claim(attempt);
    isBroken = true;
    await report(url, token, { from: 0, events: [log(1)], ended: { status: 'paused' } });
    await until(async () => (await find(id)).waitingFor).toMatch('storage failed');
    isBroken = false;
    await until(() => attempts).toHaveLength(2);
    expect(await find(id)).toMatchObject({ status: 'running', step: 1 });
  });

  it('whose disk is full is named while the job waits for it, which is no matter of the cloud or of other jobs', async () => {
    const clock = createVirtualClock();
    const { jobs, attempts } = await door.open([ROWS, ROWS], { clock });
    const { url } = attempts[0]!;
    const isOwn = (job: { id: string }) => url.includes(job.id);
    const [id, other] = [jobs.find(isOwn)!.id, jobs.find(job => !isOwn(job))!.id];
    const full = 'The disk of 10.0.0.7, where the job runs, is full.';
    const { token } = await claim(attempts[0]!);
    const expectOwn = async (waitingFor: string | null) => {
      expect((await find(id)).waitingFor).toBe(waitingFor);
      expect([(await find(other)).waitingFor, door.cloud.health.problems()]).toEqual([null, []]);
    };
    await report(url, token, { from: 0, events: [], heldUp: 'ENOSPC' });
    await expectOwn(full);
    await report(url, token, { from: 0, events: [], heldUp: null });
    await expectOwn(null);
    await report(url, token, { from: 0, events: [], ended: { status: 'interrupted', diskFault: 'ENOSPC' } });
    await until(() => clock.nextMs).toBe(500);
    await expectOwn(full);
    await clock.pass(500);
    await until(() => attempts).toHaveLength(3);
    await until(async () => (await find(id)).waitingFor).toBeNull();
  });
});
