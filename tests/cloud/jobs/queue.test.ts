// The order in which jobs run, and their states, with scripted trainers.
import { describe, expect, it, onTestFinished } from 'vitest';
import { until } from '../../support/until.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { jobsToOpen } from './jobs-per-test.js';
import { openTestJobs } from './test-jobs.js';

const cloud = jobsToOpen();

describe('the queue', () => {
  it('runs jobs one at a time, in the order they were created', async () => {
    await cloud.open();
    const jobs = [await cloud.create(), await cloud.create(), await cloud.create()];
    expect(cloud.runner.runs).toHaveLength(0);
    await cloud.jobs.start();
    for (const { id } of jobs) {
      const run = await cloud.runner.next();
      expect(run.task.jobId).toBe(id);
      expect(cloud.runner.runs.at(-1)).toBe(run);
      run.started();
      await cloud.finish(run);
    }
  });

  it('runs as many jobs at once as the concurrency allows', async () => {
    await cloud.openStarted({ concurrency: 2 });
    const [first, second] = [await cloud.begin(), await cloud.begin()];
    const third = await cloud.create();
    expect([first.run.task.jobId, second.run.task.jobId]).toEqual([first.id, second.id]);
    await cloud.until(second.id, 'running');
    expect(await cloud.jobs.count()).toEqual({ queued: 1, running: 2 });
    second.run.fail('no');
    expect((await cloud.runner.next()).task.jobId).toBe(third.id);
  });

  it("updates a job's status, times and step counts from queued to completed", async () => {
    await cloud.openStarted();
    const job = await cloud.create({}, 'mine');
    const atFirst = { name: 'mine', status: 'queued', startedAt: null, step: null, totalSteps: null };
    expect(job).toMatchObject(atFirst);
    const run = await cloud.runner.next();
    expect([await run.attemptFile(), run.task.request.attempt]).toEqual(['1', 1]);
    const tooLong = { maxLength: 512, truncated: 3, skipped: 0, first: [] };
    const prepared = { rows: 20, totalRows: 40, tooLong };
    run.tell('training.preparing', prepared);
    run.started();
    run.log(1, 2);
    await cloud.untilStep(job.id, 2);
    expect(await cloud.until(job.id, 'running')).toMatchObject({ totalSteps: 10, artifactCount: 0 });
    const times = { startedAt: expect.any(String), completedAt: expect.any(String) };
    expect(await cloud.finish(run)).toMatchObject({ error: null, artifactCount: 1, ...times });
    expect((await cloud.events(job.id))[0]).toMatchObject(prepared);
    expect(await cloud.story(job.id)).toBe('preparing, started, log 1-2, completed, end completed');
  });

  it('records an event that is reported in the moment in which the one before it was recorded', async () => {
    const timestamp = new Date(0).toISOString();
    const cloudOfOne = await openTestJobs({
      start({ jobId }, desk) {
        const record = (event: object) =>
          desk.record({ jobId, timestamp, ...event } as never) as Promise<void>;
        const ended = record({ type: 'training.log', step: 1, loss: 1 })
          .then(() => record({ type: 'training.completed', artifacts: [], metrics: {} }))
          .then(() => ({ status: 'completed' as const, exitCode: 0, signal: null }));
        return { ended, cancel() {}, pause() {}, kill() {} };
      },
    });
    onTestFinished(() => cloudOfOne.close());
    await cloudOfOne.jobs.start();
    const { id } = await cloudOfOne.create({ dryRun: true });
    expect(await cloudOfOne.until(id, 'completed')).toMatchObject({ step: 1, artifactCount: 0 });
  });

  it('cancels the job when its runner ends as cancelled', async () => {
    await cloud.openStarted();
    const { id, run } = await cloud.begin();
    run.end('cancelled');
    await cloud.until(id, 'cancelled');
    expect(await cloud.story(id)).toBe('end cancelled');
  });
});

describe('cancelling', () => {
  it('ends a queued job before it runs', async () => {
    await cloud.openStarted();
    const { run } = await cloud.begin();
    const { id } = await cloud.create();
    expect(await cloud.cancel(id)).toMatchObject({ status: 'cancelled', startedAt: null, error: null });
    expect(await cloud.story(id)).toBe('end cancelled');
    await cloud.finish(run);
    const third = await cloud.begin();
    expect(third.run.task.jobId).toBe(third.id);
  });

  it('ends a running job at once and ignores later events from its trainer', async () => {
    await cloud.openStarted();
    const { id, run } = await cloud.begin();
    run.started();
    run.log(1);
    await until(() => cloud.story(id)).toBe('started, log 1');
    expect(await cloud.cancel(id)).toMatchObject({ status: 'cancelled', completedAt: expect.any(String) });
    expect(run.told).toEqual(['cancel']);
    run.log(2);
    await run.complete();
    const next = await cloud.begin();
    expect(next.run.task.jobId).toBe(next.id);
    expect(await cloud.story(id)).toBe('started, log 1, end cancelled');
    expect((await cloud.until(id, 'cancelled')).artifactCount).toBe(0);
  });

  it('kills a trainer that ignores the cancel for 10 s, before the next job starts', async () => {
    const clock = createVirtualClock();
    await cloud.openStarted({ clock });
    const { id, run } = await cloud.begin();
    const next = await cloud.create();
    await cloud.cancel(id);
    await clock.pass(9999);
    expect(run.told).toEqual(['cancel']);
    await clock.pass(1);
    expect(run.told).toEqual(['cancel', 'kill']);
    expect((await cloud.runner.next()).task.jobId).toBe(next.id);
  });

  it('removes the checkpoints of a paused job, but not its adapters', async () => {
    await cloud.openStarted();
    const { id, run } = await cloud.begin();
    await run.checkpoint(5);
    run.onTold = () => run.end('paused');
    await cloud.jobs.pauseJob({ projectId: 'org-a/one' }, id);
    await cloud.begin();
    expect(run.has(5)).toBe(true);
    expect(await cloud.cancel(id)).toMatchObject({ status: 'cancelled', artifactCount: 1 });
    expect(run.has(5)).toBe(false);
  });

  it.each(['completed', 'failed', 'cancelled'] as const)('does not change a %s job', async status => {
    await cloud.openStarted();
    const { id, run } = await cloud.begin();
    if (status === 'completed') await run.complete();
    else if (status === 'failed') run.fail('x');
    else await cloud.cancel(id);
    const before = await cloud.until(id, status);
    const events = await cloud.events(id);
    expect(await cloud.cancel(id)).toEqual(before);
    expect(await cloud.events(id)).toEqual(events);
  });
});
