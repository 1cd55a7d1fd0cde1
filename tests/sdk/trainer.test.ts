// A trainer in a program: it uses the folder and the environment of its process.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTrainer, type TrainerOptions } from '../../lib/sdk/index.js';
import { completed, ended, started } from '../cli/support/job-events.js';
import type { FakeCloud } from '../support/fake-cloud.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openFakeCloud, openPromise } from './support.js';

const before = process.cwd();
let cloud: FakeCloud;
beforeEach(async () => {
  const folder = realpathSync(temporaryFolder('svc-trainer'));
  cloud = await openFakeCloud();
  cloud.onJob = ({ events }) => events.push(started());
  vi.stubEnv('SVC_HOME', join(folder, 'home'));
  vi.stubEnv('SVC_CLOUD_URL', cloud.url);
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(before);
  vi.unstubAllEnvs();
});

const create = (callbacks: TrainerOptions['callbacks'] = {}) =>
  createTrainer({ name: 'mine', dataset: { type: 'rows', rows: [{ text: 'a' }] }, callbacks });

describe('a trainer', () => {
  it('makes no cloud call before it starts', async () => {
    const trainer = create();
    expect(trainer.name).toBe('mine');
    await trainer.cancel();
    expect(cloud.calls).toEqual([]);
  });

  it('starts one job, even if start() and wait() are called repeatedly', async () => {
    const trainer = create();
    const starts = await Promise.all([trainer.start(), trainer.start()]);
    const { jobId } = await trainer.start();
    expect(starts).toEqual([{ jobId }, { jobId }]);
    expect(cloud.jobs.map(({ job }) => job.id)).toEqual([jobId]);
    const ends = [trainer.wait(), trainer.wait()];
    for (const event of [completed(), ended()]) cloud.emit(jobId, event);
    expect((await Promise.all(ends)).map(({ status }) => status)).toEqual(['completed', 'completed']);
  });

  it('can be cancelled while it runs, and returns that result', async () => {
    const running = openPromise();
    const trainer = create({ onStarted: running.resolve });
    const end = trainer.wait();
    await running.promise;
    await trainer.cancel();
    const { job } = cloud.jobs[0]!;
    expect(job.status).toBe('cancelled');
    expect(await end).toEqual({ jobId: job.id, status: 'cancelled' });
    const cancellations = cloud.calls.filter(call => call.endsWith('/cancel'));
    expect(cancellations).toEqual([`POST /v1/jobs/${job.id}/cancel`]);
  });

  it('ignores a cancel after it has ended', async () => {
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
