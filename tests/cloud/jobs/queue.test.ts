// The order in which jobs run, and their states, with scripted trainers.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../lib/contract/index.js';
import { until } from '../../support/until.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { createScriptedRunner, type ScriptedRunner } from './scripted-runner.js';
import { openTestJobs, type TestJobs, type TestOptions } from './test-jobs.js';

let runner: ScriptedRunner;
let cloud: TestJobs;
const clouds: TestJobs[] = [];
beforeEach(() => {
  runner = createScriptedRunner();
});
afterEach(async () => {
  for (const open of clouds.splice(0)) await open.close();
});

async function open(options: TestOptions = {}): Promise<TestJobs> {
  cloud = await openTestJobs(runner, options);
  clouds.push(cloud);
  return cloud;
}

async function openStarted(options: TestOptions = {}): Promise<TestJobs> {
  await open(options);
  await cloud.jobs.start();
  return cloud;
}

const types = async (id: string) => (await cloud.events(id)).map(({ type }) => type);
const cancel = async (id: string) => (await cloud.json<{ job: Job }>('POST', `/v1/jobs/${id}/cancel`)).job;

describe('the queue', () => {
  it('runs jobs one at a time, in the order they were created', async () => {
    await open();
    const jobs = [await cloud.create(), await cloud.create(), await cloud.create()];
    expect(runner.runs).toHaveLength(0);
    await cloud.jobs.start();
    for (const { id } of jobs) {
      const run = await runner.next();
      expect(run.task.jobId).toBe(id);
      expect(runner.runs.at(-1)).toBe(run);
      run.started();
      await run.complete();
      await cloud.until(id, 'completed');
    }
  });

  it('runs as many jobs at once as the concurrency allows', async () => {
    await openStarted({ concurrency: 2 });
    const [first, second, third] = [await cloud.create(), await cloud.create(), await cloud.create()];
    const runs = [await runner.next(), await runner.next()];
    expect(new Set(runs.map(({ task }) => task.jobId))).toEqual(new Set([first!.id, second!.id]));
    await cloud.until(second!.id, 'running');
    expect(await cloud.jobs.count()).toEqual({ queued: 1, running: 2 });
    runs[1]!.tell('training.failed', { error: 'no' });
    runs[1]!.end('failed', 1);
    expect((await runner.next()).task.jobId).toBe(third!.id);
  });

  it("updates a job's status, times and step counts from queued to completed", async () => {
    await openStarted();
    const job = await cloud.create({}, 'mine');
    expect(job).toMatchObject({
      name: 'mine',
      status: 'queued',
      startedAt: null,
      step: null,
      totalSteps: null,
    });
    const run = await runner.next();
    expect(await run.attemptFile()).toBe('1');
    expect(run.task.request.attempt).toBe(1);
    const tooLong = { maxLength: 512, truncated: 3, skipped: 0, first: [] };
    run.tell('training.preparing', { rows: 20, totalRows: 40, tooLong });
    run.started();
    run.log(1, 2);
    await cloud.untilStep(job.id, 2);
    expect(await cloud.until(job.id, 'running')).toMatchObject({ totalSteps: 10, artifactCount: 0 });
    await run.complete();
    const done = await cloud.until(job.id, 'completed');
    expect(done).toMatchObject({ error: null, artifactCount: 1, startedAt: expect.any(String) });
    expect(done.completedAt).toEqual(expect.any(String));
    const events = await cloud.events(job.id);
    expect(events[0]).toMatchObject({ rows: 20, totalRows: 40, tooLong });
    expect(events.map(({ type }) => type)).toEqual([
      'training.preparing',
      'training.started',
      'training.log',
      'training.log',
      'training.completed',
      'end',
    ]);
    expect(events.at(-1)).toMatchObject({ status: 'completed' });
  });

  it("stores the trainer's error on a failed job", async () => {
    await openStarted();
    const { id } = await cloud.create();
    const run = await runner.next();
    run.tell('training.failed', { error: 'rows.jsonl, row 3: not valid JSON' });
    run.end('failed', 1);
    expect(await cloud.until(id, 'failed')).toMatchObject({ error: 'rows.jsonl, row 3: not valid JSON' });
    expect(await types(id)).toEqual(['training.failed', 'end']);
    expect((await cloud.events(id)).at(-1)).toMatchObject({ status: 'failed' });
  });

  it('completes a dry run without artifacts', async () => {
    await openStarted();
    const { id } = await cloud.create({ dryRun: true });
    const run = await runner.next();
    run.tell('training.completed', { artifacts: [], metrics: {} });
    run.end('completed');
    expect(await cloud.until(id, 'completed')).toMatchObject({ artifactCount: 0 });
  });

  it('records an event that is reported in the moment in which the one before it was recorded', async () => {
    const at = new Date(0).toISOString();
    const cloudOfOne = await openTestJobs({
      start({ jobId }, desk) {
        const record = (fields: object) =>
          Promise.resolve(desk.record({ jobId, timestamp: at, ...fields } as never));
        const ended = (
          desk.record({
            type: 'training.log',
            jobId,
            timestamp: at,
            step: 1,
            loss: 1,
          } as never) as Promise<void>
        )
          .then(() => record({ type: 'training.completed', artifacts: [], metrics: {} }))
          .then(() => ({ status: 'completed' as const, exitCode: 0, signal: null }));
        return { ended, cancel() {}, pause() {}, kill() {} };
      },
    });
    clouds.push(cloudOfOne);
    await cloudOfOne.jobs.start();
    const { id } = await cloudOfOne.create({ dryRun: true });
    expect(await cloudOfOne.until(id, 'completed')).toMatchObject({ step: 1 });
  });

  it('cancels the job when its runner ends as cancelled', async () => {
    await openStarted();
    const { id } = await cloud.create();
    (await runner.next()).end('cancelled');
    await cloud.until(id, 'cancelled');
    expect(await types(id)).toEqual(['end']);
  });
});

describe('cancelling', () => {
  it('ends a queued job before it runs', async () => {
    await openStarted();
    const [first, second] = [await cloud.create(), await cloud.create()];
    const run = await runner.next();
    expect(await cancel(second!.id)).toMatchObject({ status: 'cancelled', startedAt: null, error: null });
    expect(await cloud.events(second!.id)).toMatchObject([{ type: 'end', status: 'cancelled' }]);
    await run.complete();
    await cloud.until(first!.id, 'completed');
    const third = await cloud.create();
    expect((await runner.next()).task.jobId).toBe(third.id);
  });

  it('ends a running job at once and ignores later events from its trainer', async () => {
    await openStarted();
    const { id } = await cloud.create();
    const run = await runner.next();
    run.started();
    run.log(1);
    await until(() => types(id)).toHaveLength(2);
    expect(await cancel(id)).toMatchObject({ status: 'cancelled', completedAt: expect.any(String) });
    expect(run.told).toEqual(['cancel']);
    run.log(2);
    await run.complete();
    const next = await cloud.create();
    expect((await runner.next()).task.jobId).toBe(next.id);
    expect(await types(id)).toEqual(['training.started', 'training.log', 'end']);
    expect((await cloud.until(id, 'cancelled')).artifactCount).toBe(0);
  });

  it('kills a trainer that ignores the cancel for 10 s, before the next job starts', async () => {
    const clock = createVirtualClock();
    await openStarted({ clock });
    const { id } = await cloud.create();
    const next = await cloud.create();
    const run = await runner.next();
    await cancel(id);
    await clock.pass(9999);
    expect(run.told).toEqual(['cancel']);
    await clock.pass(1);
    expect(run.told).toEqual(['cancel', 'kill']);
    expect((await runner.next()).task.jobId).toBe(next.id);
  });

  it.each(['completed', 'failed', 'cancelled'] as const)('does not change a %s job', async status => {
    await openStarted();
    const { id } = await cloud.create();
    const run = await runner.next();
    if (status === 'completed') await run.complete();
    else if (status === 'failed') await dieFrom(run);
    else await cancel(id);
    const before = await cloud.until(id, status);
    const events = await cloud.events(id);
    expect(await cancel(id)).toEqual(before);
    expect(await cloud.events(id)).toEqual(events);
  });

  async function dieFrom(run: Awaited<ReturnType<ScriptedRunner['next']>>): Promise<void> {
    run.tell('training.failed', { error: 'x' });
    run.end('failed', 1);
  }
});
