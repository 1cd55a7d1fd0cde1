// A fine-tuning job is paused with a checkpoint, lets others go on, and continues from there.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../support/until.js';
import type { ScriptedRun } from '../jobs/scripted-runner.js';
import { openProjectCloud, type ProjectCloud, refusal } from './project-cloud.js';
import { completeTuning, createTuning } from './tuning-jobs.js';

let cloud: ProjectCloud;
let jobs: ProjectCloud['openai']['fineTuning']['jobs'];
beforeEach(async () => {
  cloud = await openProjectCloud();
  jobs = cloud.openai.fineTuning.jobs;
});
afterEach(() => cloud.close());

/** Obeys like a real trainer: it saves one checkpoint, however often it is told, and ends. */
function pauseAt(run: ScriptedRun, step: number): void {
  let saving: Promise<void> | undefined;
  run.onTold = async word => {
    if (word !== 'pause') {
      await saving;
      return run.end('cancelled');
    }
    if (saving) return;
    run.log(step);
    saving = run.checkpoint(step);
    await saving;
    run.end('paused');
  };
}

const waitingFor = async (id: string) => (await cloud.svc.getJob(id)).job.waitingFor;
const listed = async (id: string) => (await cloud.svc.listJobs()).jobs.find(job => job.id === id);
const isIdle = () => cloud.cloud.isIdle();

describe('a running job', () => {
  it('is paused after its step, while the next job runs, and resumes from its checkpoint', async () => {
    const { id } = await createTuning(cloud);
    const run = await cloud.runner.next();
    run.started();
    pauseAt(run, 4);
    expect((await jobs.pause(id)).status).toBe('queued');
    const next = await createTuning(cloud);
    await completeTuning(cloud, next.id);
    expect(run.told).toEqual(['pause']);
    expect([await waitingFor(id), (await listed(id))!.waitingFor, await isIdle()]).toEqual([
      expect.stringContaining('It is paused.'),
      expect.stringContaining('It is paused.'),
      true,
    ]);
    expect((await jobs.checkpoints.list(id)).data.map(({ step_number }) => step_number)).toEqual([4]);

    expect((await jobs.resume(id)).status).toMatch(/queued|running/);
    const resumed = await cloud.runner.next();
    expect([resumed.task.jobId, resumed.has(4)]).toEqual([id, true]);
    expect([await waitingFor(id), await isIdle()]).toEqual([null, false]);
    resumed.started({ resumedFromStep: 4 });
    resumed.log(4, 5);
    await resumed.complete();
    await until(async () => (await jobs.retrieve(id)).status).toBe('succeeded');
    const messages = (await jobs.listEvents(id)).data.map(({ message }) => message).reverse();
    expect(messages.slice(0, 5)).toEqual([
      'Training started: 10 steps.',
      'Step 4, train loss 0.2500',
      'Checkpoint saved at step 4.',
      'Training resumed from step 4 of 10.',
      'Step 5, train loss 0.2000',
    ]);
  });

  it('may be resumed before its trainer has ended, and is run again', async () => {
    const { id } = await createTuning(cloud);
    const run = await cloud.runner.next();
    run.onTold = () => {};
    await jobs.pause(id);
    await jobs.resume(id);
    run.end('paused');
    const again = await cloud.runner.next();
    expect(again.task.jobId).toBe(id);
    again.end('failed');
  });
});

describe('a paused job', () => {
  it('that was queued does not start until it is resumed', async () => {
    const first = await createTuning(cloud);
    const second = await createTuning(cloud);
    await jobs.pause(second.id);
    await completeTuning(cloud, first.id);
    const third = await createTuning(cloud);
    await completeTuning(cloud, third.id);
    expect(cloud.runner.runs.map(({ task }) => task.jobId)).toEqual([first.id, third.id]);
    await jobs.resume(second.id);
    await completeTuning(cloud, second.id);
  });

  it('can be cancelled, and keeps its file until then', async () => {
    const { id, training_file } = await createTuning(cloud);
    const run = await cloud.runner.next();
    pauseAt(run, 1);
    await jobs.pause(id);
    expect(await refusal(cloud.openai.files.delete(training_file))).toMatchObject({ code: 'file_in_use' });
    expect((await jobs.cancel(id)).status).toBe('cancelled');
    await run.ended;
    expect(await cloud.openai.files.delete(training_file)).toMatchObject({ deleted: true });
    for (const call of [jobs.pause(id), jobs.resume(id)]) {
      const error = await refusal(call);
      expect([error.status, error.message]).toEqual([400, expect.stringContaining('is cancelled, so it')]);
    }
  });
});

it('pausing twice, or resuming what is not paused, changes nothing', async () => {
  const { id } = await createTuning(cloud);
  const run = await cloud.runner.next();
  await jobs.resume(id);
  expect((await jobs.retrieve(id)).status).toBe('running');
  pauseAt(run, 1);
  await jobs.pause(id);
  await jobs.pause(id);
  await until(async () => (await jobs.checkpoints.list(id)).data.length).toBe(1);
  expect(cloud.runner.runs).toHaveLength(1);
});
