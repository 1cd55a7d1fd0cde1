// A trainer and a sweep in a program: they use the folder and the environment of its process.
import { getEventListeners } from 'node:events';
import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  attachRun,
  createTrainer,
  openSession,
  startSweep,
  sweep,
  type TrainerOptions,
} from '../../lib/sdk/index.js';
import { completed, ended, started } from '../cli/support/job-events.js';
import type { FakeCloud } from '../support/fake-cloud.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { until } from '../support/until.js';
import { writeCredentials } from '../support/write-credentials.js';
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

const create = (callbacks: TrainerOptions['callbacks'] = {}, more: Partial<TrainerOptions> = {}) =>
  createTrainer({ name: 'mine', dataset: { type: 'rows', rows: [{ text: 'a' }] }, callbacks, ...more });
const sessionHere = () => openSession({ folder: process.cwd(), env: process.env });
const statuses = () => cloud.jobs.map(({ job }) => job.status);

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

  it('stays with the cloud of its job when the user signs in to another one', async () => {
    vi.stubEnv('SVC_CLOUD_URL', '');
    const [home, other] = [join(process.cwd(), 'home'), await openFakeCloud()];
    await writeCredentials(home, {}, { current: cloud.url });
    const trainer = create();
    const { jobId } = await trainer.start();
    const { clouds } = JSON.parse(readFileSync(join(home, 'credentials.json'), 'utf8'));
    await writeCredentials(home, clouds, { current: other.url });
    for (const event of [completed(), ended()]) cloud.emit(jobId, event);
    expect(await trainer.wait()).toMatchObject({ jobId, status: 'completed' });
    expect(other.calls).toEqual([]);
  });

  it('can start again after it could not, and has nothing to cancel until then', async () => {
    const trainer = create({}, { dataset: { type: 'file', path: 'rows.jsonl' } });
    await expect(trainer.start()).rejects.toThrow('does not exist');
    await expect(trainer.wait()).rejects.toThrow('does not exist');
    await trainer.cancel();
    expect(cloud.jobs).toEqual([]);
    writeFileSync('rows.jsonl', '{"text":"a"}\n');
    const { jobId } = await trainer.start();
    expect(cloud.jobs.map(({ job }) => job.id)).toEqual([jobId]);
    const end = trainer.wait();
    for (const event of [completed(), ended()]) cloud.emit(jobId, event);
    expect(await end).toMatchObject({ jobId, status: 'completed' });
  });

  it('can attach to a job after the ID of another was wrong', async () => {
    const { jobId } = await create().start();
    const trainer = create();
    await expect(trainer.attach('none')).rejects.toThrow();
    await trainer.attach(jobId);
    expect(await trainer.start()).toEqual({ jobId });
    await expect(trainer.attach(jobId)).rejects.toThrow('has a run already');
    const late = create({}, { abortSignal: AbortSignal.abort(new Error('enough')) });
    await expect(late.attach(jobId)).rejects.toThrow('enough');
    expect(statuses()).toEqual(['queued']);
  });

  it('cancels its job when its signal is aborted, also while nobody waits for it', async () => {
    const aborter = new AbortController();
    const trainer = create({}, { abortSignal: aborter.signal });
    await trainer.start();
    aborter.abort(new Error('enough'));
    await until(statuses).toEqual(['cancelled']);
    await expect(trainer.wait()).rejects.toThrow('enough');
  });

  it('cancels the job that a cloud creates while its signal is aborted', async () => {
    const aborter = new AbortController();
    cloud.onJob = () => aborter.abort(new Error('enough'));
    await expect(create({}, { abortSignal: aborter.signal }).start()).rejects.toThrow('enough');
    expect(statuses()).toEqual(['cancelled']);
  });

  it('listens to its signal no longer than its job runs', async () => {
    const aborter = new AbortController();
    const listeners = () => getEventListeners(aborter.signal, 'abort').length;
    const trainers = [1, 2].map(() => create({}, { abortSignal: aborter.signal }));
    const [one, other] = await Promise.all(trainers.map(trainer => trainer.start()));
    expect(listeners()).toBe(2);
    for (const event of [completed(), ended()]) cloud.emit(one!.jobId, event);
    await trainers[0]!.wait();
    expect(listeners()).toBe(1);
    await trainers[1]!.cancel();
    expect(listeners()).toBe(0);
    aborter.abort();
    expect((await trainers[0]!.wait()).status).toBe('completed');
    expect((await trainers[1]!.start()).jobId).toBe(other!.jobId);
  });
});

describe('a sweep', () => {
  const three = { learningRate: [1e-4, 2e-4, 3e-4] };

  it('cancels all of its runs when the signal of its trainer is aborted, before wait() rejects', async () => {
    const aborter = new AbortController();
    const running = openPromise();
    const trainer = create({ onStarted: running.resolve }, { abortSignal: aborter.signal });
    const end = sweep(three, trainer).wait();
    await running.promise;
    aborter.abort(new Error('enough'));
    await expect(end).rejects.toThrow('enough');
    expect(statuses()).toEqual(['cancelled', 'cancelled', 'cancelled']);
    const cancellations = cloud.calls.filter(call => call.endsWith('/cancel'));
    expect(cancellations).toHaveLength(3);
  });

  it('leaves its data at once when it is interrupted before a run is queued', async () => {
    writeFileSync('rows.jsonl', '{"text":"a"}\n{"text":"b"}\n');
    const interrupted = new AbortController();
    const mapped: object[] = [];
    const map = (row: object) => {
      interrupted.abort(new Error('enough'));
      mapped.push(row);
      return row;
    };
    const { options } = create({}, { dataset: { type: 'file', path: 'rows.jsonl', map } });
    const onCanceling = vi.fn();
    const hooks = { signal: interrupted.signal, onCanceling };
    const varied = [{ name: 'seed', values: [1, 2] }];
    await expect(startSweep(options, varied, sessionHere(), hooks)).rejects.toThrow('enough');
    expect(mapped).toEqual([{ text: 'a' }]);
    expect(cloud.calls.filter(call => call.startsWith('POST /v1/datasets'))).toEqual([]);
    expect([cloud.jobs, onCanceling.mock.calls]).toEqual([[], []]);
  });

  it('may have many runs that listen to the same signal', async () => {
    const warn = vi.spyOn(process, 'emitWarning');
    const { signal } = new AbortController();
    const runs = sweep(
      { seed: Array.from({ length: 12 }, (_, i) => i) },
      create({}, { abortSignal: signal }),
    );
    await runs.start();
    expect(getEventListeners(signal, 'abort')).toHaveLength(12);
    expect(warn).not.toHaveBeenCalled();
    await runs.cancel();
  });

  it('does so also while nobody waits for it', async () => {
    const aborter = new AbortController();
    await sweep(three, create({}, { abortSignal: aborter.signal })).start();
    aborter.abort();
    await until(statuses).toEqual(['cancelled', 'cancelled', 'cancelled']);
  });

  it('starts all of its runs from the same adapter and with the same data, whatever completes meanwhile', async () => {
    const save = ({ job, archives }: FakeCloud['jobs'][number]) => {
      Object.assign(job, { status: 'completed', artifactCount: 1 });
      archives.final = new Uint8Array(1);
    };
    const { jobId } = await create().start();
    save(cloud.jobs[0]!);
    cloud.calls.length = 0;
    cloud.onJob = save;
    const { jobIds } = await sweep(three, create({}, { from: 'latest' })).start();
    const starts = jobIds.map(id => cloud.jobs.find(({ job }) => job.id === id)!.job.config!.from);
    expect(starts).toEqual(jobIds.map(() => ({ kind: 'final', jobId })));
    expect(cloud.calls.filter(call => call === 'POST /v1/datasets')).toHaveLength(1);
  });

  it('takes each of the adapters that it varies', async () => {
    const ids = [(await create().start()).jobId, (await create().start()).jobId];
    for (const { archives } of cloud.jobs) archives.final = new Uint8Array(1);
    const { jobIds } = await sweep({ from: ids, seed: [1, 2] }, create()).start();
    const starts = jobIds.map(id => cloud.jobs.find(({ job }) => job.id === id)!.job.config!.from);
    expect(starts).toMatchObject([0, 0, 1, 1].map(at => ({ jobId: ids[at] })));
  });

  it('is that of svc start once one of its runs, or the only one, is attached', async () => {
    const trainer = create();
    const queued = await startSweep(trainer.options, [{ name: 'seed', values: [1, 2] }], sessionHere());
    const runs = sweep(three, trainer);
    attachRun(runs, Promise.resolve(queued.runs[0]!.run), Promise.resolve(queued));
    const [jobId, other] = queued.runs.map(({ run }) => run.job.id);
    expect(await runs.start()).toEqual({ group: queued.group, jobIds: [jobId, other] });
    expect(await trainer.start()).toEqual({ jobId });
    attachRun(runs, Promise.resolve(queued.runs[1]!.run));
    expect(await runs.start()).toEqual({ group: queued.group, jobIds: [other] });
    await runs.cancel();
    expect(statuses()).toEqual(['cancelled', 'queued']);
  });

  it('can start again after it could not', async () => {
    const runs = sweep(three, create({}, { dataset: { type: 'file', path: 'rows.jsonl' } }));
    await expect(runs.start()).rejects.toThrow('does not exist');
    await runs.cancel();
    writeFileSync('rows.jsonl', '{"text":"a"}\n');
    const { jobIds } = await runs.start();
    expect(cloud.jobs.map(({ job }) => job.id).sort()).toEqual(jobIds.sort());
    await runs.cancel();
    expect(statuses()).toEqual(['cancelled', 'cancelled', 'cancelled']);
  });
});
