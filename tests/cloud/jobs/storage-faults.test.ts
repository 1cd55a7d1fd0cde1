// Jobs while another process locks the database, while the disk is full, and when a commit's outcome is unknown: every
// job completes without help, with each event once and in order.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Db } from '../../../lib/cloud/store/db.js';
import { FULL, LOCKED, StorageFault } from '../../../lib/cloud/store/storage-fault.js';
import { passUntil } from '../../support/pass-until.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import { until } from '../../support/until.js';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.js';
import { failFiles } from '../fail-files.js';
import { lockHere, openHere } from '../store/open-here.js';
import { failAfterCommit, overwrite } from '../store/overwrite.js';
import { jobsToOpen } from './jobs-per-test.js';
import type { ScriptedRun } from './scripted-runner.js';
import type { TestOptions } from './test-jobs.js';

const cloud = jobsToOpen();
let clock: VirtualClock;
beforeEach(() => {
  clock = createVirtualClock();
});

/** Its database waits in virtual time, too. */
const openInTime = () => cloud.openStarted({ clock, openDatabase: openHere(clock) });
const lock = () => lockHere(join(cloud.folder, 'cloud.db'));
/** Lets time pass until it has happened. */
const inTime = <T>(promise: Promise<T>) => passUntil(clock, promise, 8);
const datasetSource = { type: 'huggingface', name: 'x' };
const NEW_JOB = { name: 'x', config: { model: 'svc/tiny', datasetSource } };
const waitingFor = async (id: string) => (await cloud.ask(id)).waitingFor;
const cancelStatus = async (id: string) => (await cloud.call('POST', `/v1/jobs/${id}/cancel`)).status;
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
  for (let step = 1; step <= lastStep; step++) await run.tell('training.log', { step, loss: 1 / step });
  await run.checkpoint(lastStep);
  await run.complete(lastStep);
}

async function expectWhole(id: string, lastStep: number): Promise<void> {
  const story = `started, log 1-${lastStep}, saved ${lastStep}, completed, end completed`;
  expect(await cloud.story(id)).toBe(story);
}

describe('a job while another process locks the database', { timeout: JOURNEY_TIMEOUT_MS }, () => {
  it.each([500, 7000])('completes when the lock lasts %i ms', async holdMs => {
    await openInTime();
    const { id, run } = await cloud.begin();
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
    const { id, run: first } = await cloud.begin();
    first.die('SIGKILL');
    const unlock = lock();
    await clock.pass(600);
    expect(cloud.runner.runs).toHaveLength(1);
    unlock();
    await inTime(trainTo(await inTime(cloud.runner.next()), 3));
    await inTime(cloud.until(id, 'completed'));
  });

  it('shows after a second what it waits for, until it continues, and holds its trainer back', async () => {
    await openInTime();
    const [{ id, run }, { id: other }] = [await cloud.begin(), await cloud.create()];
    const waits = async () => [await waitingFor(id), await waitingFor(other)];
    const usual = [null, 'An earlier job is still running.'];
    expect(await waits()).toEqual(usual);
    const unlock = lock();
    let wentOn = 0;
    for (const step of [1, 2]) void run.tell('training.log', { step, loss: 1 }).then(() => wentOn++);
    await clock.pass(1000);
    expect(await waits()).toEqual(usual);
    await clock.pass(1);
    await until(waits).toEqual([LOCKED, LOCKED]);
    expect((await cloud.list()).map(job => job.waitingFor)).toEqual([LOCKED, LOCKED]);
    const problems = [{ part: 'store', message: LOCKED }];
    expect(cloud.health.problems()).toEqual(problems);
    await clock.pass(3600_000);
    expect([cloud.health.problems(), wentOn]).toEqual([problems, 0]);
    unlock();
    await clock.pass(10_000);
    await until(waits).toEqual(usual);
    await until(() => wentOn).toBe(2);
    expect([cloud.health.problems(), (await cloud.ask(id)).step]).toEqual([[], 2]);
  });
});

describe('a job on a full disk', () => {
  it('waits, and completes once space is freed', async () => {
    await openInTime();
    const { id, run } = await cloud.begin();
    await limitPages(1);
    const training = trainTo(run, 400);
    await until(() => waitingFor(id)).toBe(FULL);
    await clock.pass(3600_000);
    await limitPages(1_000_000);
    await inTime(training);
    await inTime(cloud.until(id, 'completed'));
    await expectWhole(id, 400);
  });

  it('shows it while its trainer waits to save, and while it is restarted, until it is cancelled', async () => {
    await openInTime();
    const { id, run } = await cloud.begin();
    run.heldUp('ENOSPC');
    expect(await waitingFor(id)).toBe("The cloud's disk is full.");
    run.heldUp(null);
    expect(await waitingFor(id)).toBeNull();
    run.interrupt('ENOSPC');
    await until(() => clock.nextMs).toBe(500);
    expect(await waitingFor(id)).toBe(FULL);
    expect(cloud.health.problems()).toEqual([{ part: 'store', message: FULL }]);
    await cloud.cancel(id);
    await until(() => cloud.health.problems()).toEqual([]);
  });

  it('waits with its rows, too, that a process on this machine is to train on', async () => {
    const modelFolder = await makeModelFolder();
    onTestFinished(() => rm(modelFolder, { recursive: true, force: true }));
    let isDiskFull = true;
    const wrapFiles = failFiles('writeTokens', () => isDiskFull);
    await cloud.openStarted({ modelFolder, wrapFiles });
    const datasetId = await cloud.upload('{"text":"one"}');
    const { id, run } = await cloud.begin({ datasetSource: { type: 'upload', datasetId } });
    const prepared = run.prepare();
    prepared.catch(() => {});
    await until(() => waitingFor(id)).toBe(FULL);
    isDiskFull = false;
    expect(await prepared).toMatchObject({ run: { jobId: id }, rows: { data: [{ rows: 1 }] } });
    expect(await waitingFor(id)).toBeNull();
  });

  it('is restarted without limit, later each time, when the full disk stops its trainer', async () => {
    await openInTime();
    const { id } = await cloud.create();
    for (const ms of [500, 500, 500, 800, 1600]) {
      (await cloud.runner.next()).interrupt('ENOSPC');
      await until(() => clock.nextMs).toBe(ms);
      expect(await cloud.ask(id)).toMatchObject({ status: 'running', waitingFor: FULL });
      await clock.pass(ms);
    }
    await inTime(trainTo(await cloud.runner.next(), 2));
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
    cloud.openStarted({ ...options, wrapDb: db => failAfterCommit(db, disarm) });
  const log = (run: ScriptedRun, step: number) => run.tell('training.log', { step, loss: 1 });

  it('is not applied twice', async () => {
    await openFused();
    const { id, run } = await cloud.begin();
    run.started();
    await log(run, 1);
    isArmed = true;
    await log(run, 2);
    await log(run, 3);
    await run.checkpoint(3);
    isArmed = true;
    await cloud.finish(run, 3);
    await expectWhole(id, 3);
  });

  it("is shown on the job, in the list and in the cloud's health while it keeps failing", async () => {
    let isBroken = false;
    await cloud.openStarted({ wrapDb: db => failAfterCommit(db, () => isBroken) });
    const { id, run } = await cloud.begin();
    await log(run, 1);
    const known = (await cloud.call('GET', '/v1/jobs')).headers.get('etag')!;
    isBroken = true;
    run.log(2);
    const message = "The cloud's storage failed (SQLITE_IOERR).";
    await until(() => waitingFor(id)).toBe(message);
    expect(cloud.health.problems()).toEqual([{ part: 'store', message }]);
    const list = await cloud.call('GET', '/v1/jobs', undefined, { 'if-none-match': known });
    expect([list.status, await list.json()]).toMatchObject([200, { jobs: [{ waitingFor: message }] }]);
    isBroken = false;
    await until(() => waitingFor(id)).toBeNull();
    expect(cloud.health.problems()).toEqual([]);
  });

  it('ends the event stream of a job that it marked as failed', async () => {
    await openFused();
    const { id } = await cloud.create();
    const events = await follow(id);
    for (let deaths = 1; deaths <= 3; deaths++) {
      const run = await cloud.runner.next();
      isArmed = deaths === 3;
      run.die('SIGSEGV');
    }
    expect(await events.text()).toMatch(/event: end\ndata: .*"status":"failed"/);
    expect(await cloud.story(id)).toBe('failed, end failed');
  });

  it('ends the event stream when a cancel is retried', async () => {
    await openFused();
    await cloud.create();
    const { id } = await cloud.create();
    const events = await follow(id);
    isArmed = true;
    expect([await cancelStatus(id), await cancelStatus(id)]).toEqual([503, 200]);
    expect(await events.text()).toMatch(/event: end\ndata: .*"status":"cancelled"/);
  });

  it('stops the trainer of a cancelled job at its next event', async () => {
    await openFused();
    const { id, run } = await cloud.begin();
    await log(run, 1);
    isArmed = true;
    expect(await cancelStatus(id)).toBe(503);
    expect(run.told).toEqual([]);
    await log(run, 2);
    expect(run.told).toEqual(['cancel']);
    run.die(null, 0);
    await cloud.until(id, 'cancelled');
  });

  it('takes effect once storage recovers: streams end and a created job starts', async () => {
    await openFused({ concurrency: 2 });
    const { id } = await cloud.begin();
    const events = await follow(id);
    cloud.health.report('a test', FULL);
    isArmed = true;
    expect(await cancelStatus(id)).toBe(503);
    isArmed = true;
    expect((await cloud.call('POST', '/v1/jobs', NEW_JOB)).status).toBe(503);
    cloud.health.report('a test', null);
    expect(await events.text()).toMatch(/event: end\ndata: .*"status":"cancelled"/);
    expect((await cloud.runner.next()).task.jobId).not.toBe(id);
  });
});

it('a queue that could not be read is read again later and later, and at last every 5 s', async () => {
  let isBroken = true;
  await cloud.openStarted({ clock, wrapDb: db => failReads(db, () => isBroken) });
  for (const ms of [100, 200, 400, 800, 1600, 3200, 5000, 5000]) {
    await until(() => clock.nextMs).toBe(ms);
    await clock.pass(ms);
  }
  await until(() => clock.nextMs).toBe(5000);
  isBroken = false;
  expect(cloud.log).toMatchObject([{ message: 'Could not read the job queue.' }]);
  await cloud.begin();
});

/** A database that fails to read jobs while `isDue`. */
function failReads(db: Db, isDue: () => boolean): Db {
  return overwrite(db, 'selectFrom', (table: 'jobs') => {
    if (table === 'jobs' && isDue()) throw new StorageFault({ code: 'SQLITE_IOERR' });
    return db.selectFrom(table);
  });
}
