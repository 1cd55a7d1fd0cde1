// Trainers that crash and clouds that stop: which jobs resume, from which checkpoint, and what the log says.
import { describe, expect, it } from 'vitest';
import { until } from '../../support/until.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { jobsToOpen } from './jobs-per-test.js';
import { artifact } from './scripted-runner.js';

const cloud = jobsToOpen();

describe('a trainer that crashes', () => {
  it('is restarted from its checkpoint, and each event is logged once', async () => {
    await cloud.openStarted();
    const { id, run: first } = await cloud.begin();
    first.started();
    first.log(1, 2, 3);
    await first.checkpoint(3);
    first.log(4, 5);
    await first.save('checkpoint-5');
    first.die('SIGKILL');
    const second = await cloud.runner.next();
    expect([second.task.request.attempt, await second.attemptFile()]).toEqual([2, '2']);
    // The later one is not in the log.
    expect([second.has(3), second.has(5)]).toEqual([true, false]);
    second.started({ resumedFromStep: 3 });
    second.log(4, 5, 6);
    await second.checkpoint(6);
    const { startedAt } = await cloud.finish(second);
    expect(await cloud.story(id)).toBe(
      'started, log 1-3, saved 3, log 4-5, started from 3, log 6, saved 6, completed, end completed',
    );
    expect(startedAt! <= (await cloud.events(id))[0]!.timestamp!).toBe(true);
  });

  it('reports a restart from step 0 when there is no checkpoint', async () => {
    await cloud.openStarted();
    const { id, run: first } = await cloud.begin();
    first.started();
    first.log(1);
    first.die('SIGSEGV');
    const second = await cloud.runner.next();
    second.started();
    await cloud.finish(second);
    expect(await cloud.story(id)).toBe('started, log 1, started from 0, completed, end completed');
  });

  it('is restarted without limit while it makes progress, and fails after three attempts without', async () => {
    await cloud.openStarted();
    const { id } = await cloud.create();
    for (let step = 1; step <= 5; step++) {
      const run = await cloud.runner.next();
      run.log(step);
      run.die('SIGKILL');
    }
    for (let i = 0; i < 3; i++) (await cloud.runner.next()).die(null, 7);
    const error = expect.stringContaining('exited unexpectedly (code 7)');
    expect(await cloud.until(id, 'failed')).toMatchObject({ step: 5, error });
    expect(await cloud.story(id)).toBe('log 1-5, failed, end failed');
    expect(cloud.runner.runs).toHaveLength(8);
  });
});

describe('a cloud that restarts', () => {
  it('pauses the running job, starts no other meanwhile, and resumes it before queued ones', async () => {
    await cloud.openStarted();
    const [first, second] = [await cloud.create(), await cloud.create()];
    const run = await cloud.runner.next();
    run.onTold = async word => {
      if (word !== 'pause') return;
      run.log(1);
      await run.checkpoint(1);
      run.end('paused');
    };
    const { runs } = cloud.runner;
    await cloud.restart();
    expect([run.told, runs.length]).toEqual([['pause'], 1]);
    expect(await cloud.until(first!.id, 'running')).toMatchObject({ step: 1, artifactCount: 1 });
    await cloud.until(second!.id, 'queued');
    await cloud.jobs.start();
    const resumed = await cloud.runner.next();
    expect([resumed.task.jobId, resumed.task.request.attempt, resumed.has(1)]).toEqual([first!.id, 2, true]);
    await resumed.complete();
    expect((await cloud.runner.next()).task.jobId).toBe(second!.id);
    expect(await cloud.story(first!.id)).toBe('log 1, saved 1, completed, end completed');
  });

  it('kills a trainer that does not pause in time, and still resumes its job', async () => {
    const clock = createVirtualClock();
    await cloud.openStarted({ clock });
    const { id, run } = await cloud.begin();
    const restarted = cloud.restart();
    await until(() => clock.nextMs).toBe(10_000);
    await clock.pass(9999);
    expect(run.told).toEqual(['pause']);
    await clock.pass(1);
    expect(run.told).toEqual(['pause', 'kill']);
    await restarted;
    await cloud.until(id, 'running');
    await cloud.jobs.start();
    expect((await cloud.runner.next()).task.request.attempt).toBe(2);
  });

  it('resumes from the last checkpoint in the log after the cloud was killed', async () => {
    await cloud.openStarted();
    const { id, run: orphan } = await cloud.begin();
    orphan.log(1, 2);
    await orphan.checkpoint(2);
    await until(() => cloud.events(id)).toHaveLength(3);
    await orphan.save('checkpoint-4');
    await cloud.restart({ killed: true });
    await cloud.jobs.start();
    const heir = await cloud.runner.next();
    expect([heir.task.jobId, heir.has(2), heir.has(4)]).toEqual([id, true, false]);
    orphan.log(3);
    orphan.die(null, 1);
    heir.log(3);
    await cloud.finish(heir);
    expect(await cloud.story(id)).toBe('log 1-2, saved 2, log 3, completed, end completed');
  });

  it('leaves a paused job alone until it is resumed, also after it was killed', async () => {
    const scope = { orgId: 'org-a', projectId: 'org-a/one' };
    await cloud.openStarted();
    const { id, run } = await cloud.begin();
    await run.checkpoint(5);
    await until(() => cloud.story(id)).toBe('saved 5');
    await cloud.jobs.pauseJob(scope, id);
    await cloud.restart({ killed: true });
    await cloud.jobs.start();
    const other = await cloud.begin();
    expect([other.run.task.jobId, await cloud.jobs.count()]).toEqual([other.id, { queued: 0, running: 1 }]);
    await cloud.jobs.resumeJob(scope, id);
    other.run.end('cancelled');
    const resumed = await cloud.runner.next();
    expect([resumed.task.jobId, resumed.task.request.attempt, resumed.has(5)]).toEqual([id, 2, true]);
  });

  it('ignores events from an attempt that another cloud has superseded', async () => {
    await cloud.openStarted();
    const { id, run: orphan } = await cloud.begin();
    orphan.log(1);
    await cloud.untilStep(id, 1);
    // As if another cloud had claimed the job.
    await cloud.db.updateTable('jobs').set({ attempt: 2 }).where('id', '=', id).execute();
    orphan.log(2);
    await orphan.checkpoint(2);
    orphan.fail('late');
    const heir = await cloud.runner.next();
    expect([heir.task.jobId, heir.task.request.attempt, heir.has(2)]).toEqual([id, 3, false]);
    expect(await cloud.story(id)).toBe('log 1');
  });

  it('fails a job whose base model it no longer has', async () => {
    await cloud.open();
    const { id } = await cloud.create();
    const config = JSON.stringify({ model: 'other/model', datasetSource: {} });
    await cloud.db.updateTable('jobs').set({ config }).execute();
    await cloud.jobs.start();
    const error = 'The job is for other/model, but this cloud now has svc/tiny.';
    expect(await cloud.until(id, 'failed')).toMatchObject({ error });
  });
});

it('a final adapter that is reported but missing fails its job, kills the trainer, and is logged', async () => {
  await cloud.openStarted();
  const { id, run } = await cloud.begin();
  run.tell('training.completed', { artifacts: [artifact('final', 1)], metrics: {} });
  const { error } = await cloud.until(id, 'failed');
  expect(error).toMatch(/^Something went wrong on our side.*Start the run again\.$/);
  expect(run.told).toEqual(['kill']);
  const logged = cloud.log.flatMap(line => ('error' in line ? [String(line.error)] : []));
  expect(logged).toContainEqual(expect.stringContaining('final adapter'));
});
