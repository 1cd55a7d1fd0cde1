// Jobs while another process locks the database, while the disk is full, and when a commit's outcome is unknown: every
// job completes without help, with each event once and in order.
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../../lib/cloud/store/db.js';
import { LOCKED, StorageFault } from '../../../lib/cloud/store/storage-fault.js';
import type { Job, JobEvent, JobSummary } from '../../../lib/contract/index.js';
import { passUntil } from '../../support/pass-until.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { until } from '../../support/until.js';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.js';
import { lockHere, openHere } from '../store/open-here.js';
import { createScriptedRunner, type ScriptedRun, type ScriptedRunner } from './scripted-runner.js';
import { openTestJobs, type TestJobs, type TestOptions } from './test-jobs.js';

let runner: ScriptedRunner;
let cloud: TestJobs;
let clock: VirtualClock;
beforeEach(() => {
  runner = createScriptedRunner();
  clock = createVirtualClock();
});
afterEach(() => cloud.close());

async function openStarted(options: TestOptions = {}): Promise<void> {
  cloud = await openTestJobs(runner, options);
  await cloud.jobs.start();
}

/** Its database waits in virtual time, too. */
const openInTime = () => openStarted({ clock, openDatabase: openHere(clock) });
const lock = () => lockHere(join(cloud.folder, 'cloud.db'));
/** Lets time pass until it has happened. */
const inTime = <T>(promise: Promise<T>) => passUntil(clock, promise, 8);
const steps = (events: readonly JobEvent[]) =>
  events.flatMap(event => (event.type === 'training.log' ? [event.step] : []));
const NEW_JOB = {
  name: 'x',
  config: { model: 'svc/tiny', datasetSource: { type: 'huggingface', name: 'x' } },
};
const count = (length: number) => Array.from({ length }, (_, i) => i + 1);
const ask = async (id: string) => (await cloud.json<{ job: Job }>('GET', `/v1/jobs/${id}`)).job;
const follow = async (id: string) => {
  const response = await cloud.call('GET', `/v1/jobs/${id}/events/stream`);
  // The stream is open once its first bytes arrive.
  const [first, rest] = response.body!.tee();
  await first.getReader().read();
  return new Response(rest);
};
const limitPages = (pages: number) => sql.raw(`PRAGMA max_page_count = ${pages}`).execute(cloud.db);

async function trainTo(run: ScriptedRun, lastStep: number): Promise<void> {
  run.started();
  for (const step of count(lastStep)) await run.tell('training.log', { step, loss: 1 / step });
  await run.checkpoint(lastStep);
  await run.complete(lastStep);
}

async function expectWhole(id: string, lastStep: number): Promise<void> {
  const events = await cloud.events(id);
  expect(steps(events)).toEqual(count(lastStep));
  expect(events.map(({ type }) => type).filter(type => type !== 'training.log')).toEqual([
    'training.started',
    'checkpoint.saved',
    'training.completed',
    'end',
  ]);
}

describe('a job while another process locks the database', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  it.each([
    ['0.5 s', 500],
    ['7 s', 7000],
  ])('completes when the lock lasts %s', async (_, holdMs) => {
    await openInTime();
    const { id } = await cloud.create();
    const run = await runner.next();
    const unlock = lock();
    const training = trainTo(run, 20);
    for (let ms = 0; ms < holdMs; ms += 10) await clock.pass(10);
    expect(await cloud.events(id)).toEqual([]);
    unlock();
    await inTime(training);
    await inTime(cloud.until(id, 'completed'));
    await expectWhole(id, 20);
  });

  it('is restarted when the database is locked at that moment', async () => {
    await openInTime();
    const { id } = await cloud.create();
    const first = await runner.next();
    first.die('SIGKILL');
    const unlock = lock();
    await clock.pass(600);
    expect(runner.runs).toHaveLength(1);
    unlock();
    await inTime(trainTo(await inTime(runner.next()), 3));
    await inTime(cloud.until(id, 'completed'));
  });

  it('shows after a second what it waits for, until it continues', async () => {
    await openInTime();
    const [{ id }, { id: other }] = [await cloud.create(), await cloud.create()];
    const run = await runner.next();
    const waitsFor = async () => [(await ask(id)).waitingFor, (await ask(other)).waitingFor];
    const usual = [null, 'An earlier job is still running.'];
    expect(await waitsFor()).toEqual(usual);
    const unlock = lock();
    run.log(1);
    await clock.pass(1000);
    expect(await waitsFor()).toEqual(usual);
    await clock.pass(1);
    await until(waitsFor).toEqual([LOCKED, LOCKED]);
    const { jobs } = await cloud.json<{ jobs: JobSummary[] }>('GET', '/v1/jobs');
    expect(jobs.map(job => job.waitingFor)).toEqual([LOCKED, LOCKED]);
    expect(cloud.health.problems()).toEqual([{ part: 'store', message: LOCKED }]);
    await clock.pass(3600_000);
    expect(cloud.health.problems()).toEqual([{ part: 'store', message: LOCKED }]);
    unlock();
    await clock.pass(10_000);
    await until(waitsFor).toEqual(usual);
    expect([cloud.health.problems(), (await ask(id)).step]).toEqual([[], 1]);
  });

  it('holds its trainer back during the lock', async () => {
    await openInTime();
    await cloud.create();
    const run = await runner.next();
    const unlock = lock();
    let wentOn = 0;
    for (const step of count(5)) void run.tell('training.log', { step, loss: 1 }).then(() => wentOn++);
    await clock.pass(60_000);
    expect([cloud.health.problems().length, wentOn]).toEqual([1, 0]);
    unlock();
    await clock.pass(10_000);
    await until(() => wentOn).toBe(5);
  });

  it('answers 503 with Retry-After after 5 s', async () => {
    await openInTime();
    const unlock = lock();
    let isAnswered = false;
    const asking = cloud.call('POST', '/v1/jobs', NEW_JOB).finally(() => {
      isAnswered = true;
    });
    await clock.pass(5000);
    expect(isAnswered).toBe(false);
    await clock.pass(1);
    const response = await asking;
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await response.json()).toMatchObject({
      error: { code: 'storage_unavailable', type: 'server_error' },
    });
    unlock();
    expect((await inTime(cloud.call('POST', '/v1/jobs', NEW_JOB))).status).toBe(201);
  });
});

describe('a job on a full disk', () => {
  it('waits, and completes once space is freed', async () => {
    await openInTime();
    const { id } = await cloud.create();
    const run = await runner.next();
    await limitPages(1);
    const training = trainTo(run, 400);
    await until(async () => (await ask(id)).waitingFor).toBe("The cloud's disk is full.");
    await clock.pass(3600_000);
    await limitPages(1_000_000);
    await inTime(training);
    await inTime(cloud.until(id, 'completed'));
    await expectWhole(id, 400);
  });

  it('shows it while its trainer waits to save', async () => {
    await openStarted();
    const { id } = await cloud.create();
    const run = await runner.next();
    run.heldUp('ENOSPC');
    expect((await ask(id)).waitingFor).toBe("The cloud's disk is full.");
    run.heldUp(null);
    expect((await ask(id)).waitingFor).toBeNull();
  });

  it('clears the health problem when it is cancelled while waiting', async () => {
    await openStarted();
    const { id } = await cloud.create();
    (await runner.next()).interrupt('ENOSPC');
    const message = "The cloud's disk is full.";
    await until(async () => (await ask(id)).waitingFor).toBe(message);
    expect(cloud.health.problems()).toEqual([{ part: 'store', message }]);
    await cloud.call('POST', `/v1/jobs/${id}/cancel`);
    await until(() => cloud.health.problems()).toEqual([]);
  });

  it('is restarted without limit, later each time, when the full disk stops its trainer', async () => {
    await openInTime();
    const { id } = await cloud.create();
    for (const ms of [500, 500, 500, 800, 1600]) {
      (await runner.next()).interrupt('ENOSPC');
      await until(() => clock.nextMs).toBe(ms);
      expect(await ask(id)).toMatchObject({ status: 'running', waitingFor: "The cloud's disk is full." });
      await clock.pass(ms);
    }
    await inTime(trainTo(await runner.next(), 2));
    await inTime(cloud.until(id, 'completed'));
  });
});

describe('a write whose outcome is unknown', () => {
  let isArmed = false;
  const disarm = () => {
    const wasArmed = isArmed;
    isArmed = false;
    return wasArmed;
  };
  const openFused = (options: TestOptions = {}) =>
    openStarted({ ...options, wrapDb: db => failAfterCommit(db, disarm) });

  it('is not applied twice', async () => {
    await openFused();
    const { id } = await cloud.create();
    const run = await runner.next();
    run.started();
    await run.tell('training.log', { step: 1, loss: 1 });
    isArmed = true;
    await run.tell('training.log', { step: 2, loss: 1 });
    await run.tell('training.log', { step: 3, loss: 1 });
    await run.checkpoint(3);
    isArmed = true;
    await run.complete(3);
    await cloud.until(id, 'completed');
    await expectWhole(id, 3);
  });

  it("is shown on the job, in the list and in the cloud's health while it keeps failing", async () => {
    let isBroken = false;
    await openStarted({ wrapDb: db => failAfterCommit(db, () => isBroken) });
    const { id } = await cloud.create();
    const run = await runner.next();
    await run.tell('training.log', { step: 1, loss: 1 });
    const known = (await cloud.call('GET', '/v1/jobs')).headers.get('etag')!;
    isBroken = true;
    run.log(2);
    const message = "The cloud's storage failed (SQLITE_IOERR).";
    await until(async () => (await ask(id)).waitingFor).toBe(message);
    expect(cloud.health.problems()).toEqual([{ part: 'store', message }]);
    const list = await cloud.call('GET', '/v1/jobs', undefined, { 'if-none-match': known });
    expect([list.status, await list.json()]).toMatchObject([200, { jobs: [{ waitingFor: message }] }]);
    isBroken = false;
    await until(async () => (await ask(id)).waitingFor).toBeNull();
    expect(cloud.health.problems()).toEqual([]);
  });

  it('ends the event stream of a job that it marked as failed', async () => {
    await openFused();
    const { id } = await cloud.create();
    const events = await follow(id);
    for (let deaths = 1; deaths <= 3; deaths++) {
      const run = await runner.next();
      isArmed = deaths === 3;
      run.die('SIGSEGV');
    }
    expect(await events.text()).toMatch(/event: end\ndata: .*"status":"failed"/);
    expect((await cloud.events(id)).map(({ type }) => type)).toEqual(['training.failed', 'end']);
  });

  it('ends the event stream when a cancel is retried', async () => {
    await openFused();
    await cloud.create();
    const { id } = await cloud.create();
    const events = await follow(id);
    isArmed = true;
    expect((await cloud.call('POST', `/v1/jobs/${id}/cancel`)).status).toBe(503);
    expect((await cloud.call('POST', `/v1/jobs/${id}/cancel`)).status).toBe(200);
    expect(await events.text()).toMatch(/event: end\ndata: .*"status":"cancelled"/);
  });

  it('stops the trainer of a cancelled job at its next event', async () => {
    await openFused();
    const { id } = await cloud.create();
    const run = await runner.next();
    await run.tell('training.log', { step: 1, loss: 1 });
    isArmed = true;
    expect((await cloud.call('POST', `/v1/jobs/${id}/cancel`)).status).toBe(503);
    expect(run.told).toEqual([]);
    await run.tell('training.log', { step: 2, loss: 1 });
    expect(run.told).toEqual(['cancel']);
    run.die(null, 0);
    await cloud.until(id, 'cancelled');
  });

  it('takes effect once storage recovers: streams end and a created job starts', async () => {
    await openFused({ concurrency: 2 });
    const { id } = await cloud.create();
    await runner.next();
    const events = await follow(id);
    cloud.health.report('a test', "The cloud's disk is full.");
    isArmed = true;
    expect((await cloud.call('POST', `/v1/jobs/${id}/cancel`)).status).toBe(503);
    isArmed = true;
    expect((await cloud.call('POST', '/v1/jobs', NEW_JOB)).status).toBe(503);
    cloud.health.report('a test', null);
    expect(await events.text()).toMatch(/event: end\ndata: .*"status":"cancelled"/);
    const next = await runner.next();
    expect(next.task.jobId).not.toBe(id);
  });
});

describe('the queue', () => {
  it('is read again after a failed read: after 0.1 s, then later and later, and at last every 5 s', async () => {
    let isBroken = true;
    await openStarted({ clock, wrapDb: db => failReads(db, () => isBroken) });
    for (const ms of [100, 200, 400, 800, 1600, 3200, 5000, 5000]) {
      await until(() => clock.nextMs).toBe(ms);
      await clock.pass(ms);
    }
    await until(() => clock.nextMs).toBe(5000);
    isBroken = false;
    expect(cloud.log.map(line => 'message' in line && line.message)).toEqual([
      'Could not read the job queue.',
    ]);
    await cloud.create();
    await runner.next();
  });
});

/** A database whose transactions report failure after committing while `isDue`. */
function failAfterCommit(db: Db, isDue: () => boolean): Db {
  return overwrite(db, 'transaction', () => ({
    async execute(act: Parameters<ReturnType<Db['transaction']>['execute']>[0]) {
      const result = await db.transaction().execute(act);
      if (isDue()) throw new StorageFault({ code: 'SQLITE_IOERR' });
      return result;
    },
  }));
}

/** A database that fails to read jobs while `isDue`. */
function failReads(db: Db, isDue: () => boolean): Db {
  return overwrite(db, 'selectFrom', (table: 'jobs') => {
    if (table === 'jobs' && isDue()) throw new StorageFault({ code: 'SQLITE_IOERR' });
    return db.selectFrom(table);
  });
}

function overwrite(db: Db, name: 'transaction' | 'selectFrom', value: unknown): Db {
  return new Proxy(db, {
    get: (target, key) => {
      if (key === name) return value;
      const member = Reflect.get(target, key);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
