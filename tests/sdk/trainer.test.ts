// A trainer as a program has it: it acts for the folder and the settings of its process.
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTrainer, type TrainerOptions } from '../../lib/sdk/index.js';
import { completed, ended, started } from '../cli/support/job-events.js';
import { type FakeCloud, startFakeCloud } from '../support/fake-cloud.js';

const before = process.cwd();
let folder: string;
let cloud: FakeCloud;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-trainer-')));
  cloud = await startFakeCloud();
  cloud.onJob = ({ events }) => events.push(started());
  vi.stubEnv('SVC_HOME', join(folder, 'home'));
  vi.stubEnv('SVC_CLOUD_URL', cloud.url);
  process.chdir(folder);
});
afterEach(async () => {
  process.chdir(before);
  vi.unstubAllEnvs();
  await cloud.close();
  await rm(folder, { recursive: true });
});

const create = (callbacks: TrainerOptions['callbacks'] = {}) =>
  createTrainer({ name: 'mine', dataset: { type: 'rows', rows: [{ text: 'a' }] }, callbacks });
const cancellations = () => cloud.calls.filter(call => call.endsWith('/cancel'));

describe('a trainer', () => {
  it('asks nobody before it is started', async () => {
    const trainer = create();
    expect(trainer.name).toBe('mine');
    await trainer.cancel();
    expect(cloud.calls).toEqual([]);
  });

  it('is one training, however often it is started and waited for', async () => {
    const trainer = create();
    const starts = await Promise.all([trainer.start(), trainer.start()]);
    const { jobId } = await trainer.start();
    expect(starts).toEqual([{ jobId }, { jobId }]);
    expect(cloud.jobs.map(({ job }) => job.id)).toEqual([jobId]);
    const ends = [trainer.wait(), trainer.wait()];
    cloud.emit(jobId, completed());
    cloud.emit(jobId, ended());
    expect(await Promise.all(ends)).toEqual(Array(2).fill(expect.objectContaining({ status: 'completed' })));
  });

  it('is cancelled in the middle of it, which is how it then ended', async () => {
    let begun = () => {};
    const running = new Promise<void>(resolve => {
      begun = resolve;
    });
    const trainer = create({ onStarted: begun });
    const end = trainer.wait();
    await running;
    await trainer.cancel();
    const { job } = cloud.jobs[0]!;
    expect(job.status).toBe('cancelled');
    expect(await end).toEqual({ jobId: job.id, status: 'cancelled' });
    expect(cancellations()).toEqual([`POST /v1/jobs/${job.id}/cancel`]);
  });

  it('that has ended is cancelled without harm', async () => {
    cloud.onJob = ({ job, events }) => {
      job.status = 'completed';
      events.push(started(), completed(), ended());
    };
    const trainer = create();
    const { jobId } = await trainer.wait();
    await trainer.cancel();
    expect(cloud.jobs.map(({ job }) => [job.id, job.status])).toEqual([[jobId, 'completed']]);
  });
});
