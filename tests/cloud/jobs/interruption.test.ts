// Trainers that crash and clouds that stop: which jobs resume, from which checkpoint, and what the log says.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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

async function reopen(how?: { killed?: boolean }): Promise<ScriptedRunner> {
  const next = createScriptedRunner();
  cloud = await cloud.reopen(next, how);
  clouds.splice(0, clouds.length, cloud);
  return next;
}

const types = async (id: string) => (await cloud.events(id)).map(({ type }) => type);
/** A dead trainer is restarted until three attempts in a row make no progress. */
async function dieThrice(signal: string | null, exitCode: number | null = null): Promise<void> {
  for (let i = 0; i < 3; i++) (await runner.next()).die(signal, exitCode);
}

describe('a trainer that crashes', () => {
  it('is restarted from its checkpoint, and each event is logged once', async () => {
    await openStarted();
    const { id } = await cloud.create();
    const first = await runner.next();
    first.started();
    first.log(1, 2, 3);
    await first.checkpoint(3);
    first.log(4, 5);
    first.die('SIGKILL');
    const second = await runner.next();
    expect(second.task.request.attempt).toBe(2);
    expect(await second.attemptFile()).toBe('2');
    expect(second.has(3)).toBe(true);
    second.started({ resumedFromStep: 3 });
    second.log(4, 5, 6);
    await second.checkpoint(6);
    await second.complete();
    await cloud.until(id, 'completed');
    const told = (await cloud.events(id)).map(event =>
      'step' in event ? `${event.type} ${event.step}` : event.type,
    );
    expect(told).toEqual([
      'training.started',
      'training.log 1',
      'training.log 2',
      'training.log 3',
      'checkpoint.saved 3',
      'training.log 4',
      'training.log 5',
      'training.started',
      'training.log 6',
      'checkpoint.saved 6',
      'training.completed',
      'end',
    ]);
    const starts = (await cloud.events(id)).filter(({ type }) => type === 'training.started');
    expect(starts[0]).not.toHaveProperty('resumedFromStep');
    expect(starts[1]).toMatchObject({ resumedFromStep: 3 });
    const { startedAt } = await cloud.until(id, 'completed');
    expect(startedAt! <= starts[0]!.timestamp).toBe(true);
  });

  it('reports a restart from step 0 when there is no checkpoint', async () => {
    await openStarted();
    const { id } = await cloud.create();
    const first = await runner.next();
    first.started();
    first.log(1);
    first.die('SIGSEGV');
    const second = await runner.next();
    second.started();
    await until(async () =>
      (await cloud.events(id)).filter(({ type }) => type === 'training.started'),
    ).toMatchObject([{}, { resumedFromStep: 0 }]);
    await second.complete();
    await cloud.until(id, 'completed');
  });

  it('resumes from the last checkpoint in the log, not from later ones on disk', async () => {
    await openStarted();
    await cloud.create();
    const first = await runner.next();
    await first.checkpoint(3);
    await first.save('checkpoint-6');
    await first.save('checkpoint-12');
    first.die('SIGKILL');
    const second = await runner.next();
    expect([3, 6, 12].map(step => second.has(step))).toEqual([true, false, false]);
  });

  it('fails after three attempts without progress, with the likely cause', async () => {
    await openStarted();
    const { id } = await cloud.create();
    await dieThrice('SIGKILL');
    const { error } = await cloud.until(id, 'failed');
    expect(error).toMatch(/killed, most likely because it ran out of memory.*batchSize/);
    expect(await types(id)).toEqual(['training.failed', 'end']);
    expect(runner.runs).toHaveLength(3);
  });

  it('is restarted without limit while it makes progress', async () => {
    await openStarted();
    const { id } = await cloud.create();
    for (let step = 1; step <= 5; step++) {
      const run = await runner.next();
      run.log(step);
      run.die('SIGKILL');
    }
    await dieThrice(null, 7);
    expect(await cloud.until(id, 'failed')).toMatchObject({
      step: 5,
      error: expect.stringContaining('exited unexpectedly (code 7)'),
    });
    expect(runner.runs).toHaveLength(8);
  });
});

describe('a cloud that restarts', () => {
  it('pauses the running job, and resumes it before queued ones', async () => {
    await openStarted();
    const [first, second] = [await cloud.create(), await cloud.create()];
    const run = await runner.next();
    run.onTold = async word => {
      if (word !== 'pause') return;
      run.log(1);
      await run.checkpoint(1);
      run.end('paused');
    };
    runner = await reopen();
    expect(run.told).toEqual(['pause']);
    expect(await cloud.until(first!.id, 'running')).toMatchObject({ step: 1, artifactCount: 1 });
    await cloud.until(second!.id, 'queued');
    await cloud.jobs.start();
    const resumed = await runner.next();
    expect([resumed.task.jobId, resumed.task.request.attempt]).toEqual([first!.id, 2]);
    expect(resumed.has(1)).toBe(true);
    await resumed.complete();
    expect((await runner.next()).task.jobId).toBe(second!.id);
    expect(await types(first!.id)).toEqual(['training.log', 'checkpoint.saved', 'training.completed', 'end']);
  });

  it('kills a trainer that does not pause in time, and still resumes its job', async () => {
    const clock = createVirtualClock();
    await openStarted({ clock });
    const { id } = await cloud.create();
    const run = await runner.next();
    const reopened = reopen();
    await until(() => clock.nextMs).toBe(10_000);
    await clock.pass(9999);
    expect(run.told).toEqual(['pause']);
    await clock.pass(1);
    expect(run.told).toEqual(['pause', 'kill']);
    runner = await reopened;
    await cloud.until(id, 'running');
    await cloud.jobs.start();
    expect((await runner.next()).task.request.attempt).toBe(2);
  });

  it('resumes from the last checkpoint in the log after the cloud was killed', async () => {
    await openStarted();
    const { id } = await cloud.create();
    const orphan = await runner.next();
    orphan.log(1, 2);
    await orphan.checkpoint(2);
    await until(() => types(id)).toHaveLength(3);
    await orphan.save('checkpoint-4');
    runner = await reopen({ killed: true });
    await cloud.jobs.start();
    const heir = await runner.next();
    expect([heir.task.jobId, heir.has(2), heir.has(4)]).toEqual([id, true, false]);
    orphan.log(3);
    orphan.die(null, 1);
    heir.log(3);
    await heir.complete();
    await cloud.until(id, 'completed');
    expect((await types(id)).slice(3)).toEqual(['training.log', 'training.completed', 'end']);
  });

  it('ignores events from an attempt that another cloud has superseded', async () => {
    await openStarted({ concurrency: 1 });
    const { id } = await cloud.create();
    const orphan = await runner.next();
    orphan.log(1);
    await until(() => types(id)).toHaveLength(1);
    // As if another cloud had claimed the job.
    await cloud.db.updateTable('jobs').set({ attempt: 2 }).where('id', '=', id).execute();
    orphan.log(2);
    await orphan.checkpoint(2);
    orphan.tell('training.failed', { error: 'late' });
    orphan.end('failed', 1);
    const heir = await runner.next();
    expect([heir.task.jobId, heir.task.request.attempt]).toEqual([id, 3]);
    expect(await types(id)).toEqual(['training.log']);
    expect(heir.has(2)).toBe(false);
  });

  it('starts no queued job while it shuts down', async () => {
    await openStarted();
    await cloud.create();
    const waiting = await cloud.create();
    const run = await runner.next();
    run.onTold = () => run.end('paused');
    await cloud.jobs.close(1000);
    expect(runner.runs).toHaveLength(1);
    await cloud.until(waiting.id, 'queued');
  });

  it('fails a job whose base model it no longer has', async () => {
    await open();
    const { id } = await cloud.create();
    await cloud.db
      .updateTable('jobs')
      .set({ config: JSON.stringify({ model: 'other/model', datasetSource: {} }) })
      .execute();
    await cloud.jobs.start();
    expect((await cloud.until(id, 'failed')).error).toBe(
      'The job is for other/model, but this cloud now has svc/tiny.',
    );
  });
});

describe('a final adapter that is reported but missing', () => {
  it('kills the trainer, fails the job with a generic message and logs the cause', async () => {
    await openStarted();
    const { id } = await cloud.create();
    const run = await runner.next();
    // The final adapter is reported but does not exist.
    const artifact = { name: 'final', kind: 'final', step: 1, bytes: 1, sha256: '0'.repeat(64) };
    run.tell('training.completed', { artifacts: [artifact], metrics: {} });
    const { error } = await cloud.until(id, 'failed');
    expect(error).toMatch(/^Something went wrong on our side.*Start the run again\.$/);
    expect(run.told).toEqual(['kill']);
    expect(cloud.log.some(line => 'error' in line && String(line.error).includes('final adapter'))).toBe(
      true,
    );
  });
});
