// Importing runs of other providers: what becomes of them, what they cannot do, and what is refused.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type JobEvent, type JobImport, readJobEvent, toFrames } from '../../../lib/contract/index.js';
import { openProjectCloud, type ProjectCloud } from '../project-api/project-cloud.js';

let cloud: ProjectCloud;
beforeAll(async () => {
  cloud = await openProjectCloud();
});
afterAll(() => cloud.close());

let made = 0;
function sample(more: Partial<JobImport> = {}): JobImport {
  return {
    name: 'triage',
    origin: { provider: 'openai', id: `ftjob-${made++}`, model: 'gpt-x', fineTunedModel: 'ft:gpt-x:me::1' },
    status: 'completed',
    createdAt: '2025-02-01T10:00:00.000Z',
    startedAt: '2025-02-01T10:05:00Z',
    completedAt: '2025-02-01T11:00:00+01:00',
    settings: { numTrainEpochs: 3, learningRateMultiplier: 1.8, method: 'dpo' },
    steps: { step: [1, 2, 5], loss: [2, 0.5, 1], evalLoss: [null, 0.75, null], time: [1000, null, 3000] },
    ...more,
  };
}

async function readEvents(id: string): Promise<JobEvent[]> {
  const events: JobEvent[] = [];
  for await (const parts of cloud.svc.readJobLog(id)) events.push(...toFrames(parts).map(readJobEvent));
  return events;
}

describe('an imported job', () => {
  it('has ended as it did there, with its dates, settings and losses', async () => {
    const given = sample();
    const { job } = await cloud.svc.importJob(given);
    expect(job).toMatchObject({
      name: 'triage',
      trainer: 'triage',
      origin: given.origin,
      status: 'completed',
      error: null,
      createdAt: '2025-02-01T10:00:00.000Z',
      startedAt: '2025-02-01T10:05:00.000Z',
      completedAt: '2025-02-01T10:00:00.000Z',
      config: { ...given.settings, model: 'gpt-x' },
      artifactCount: 0,
      step: 5,
      totalSteps: 5,
      loss: 1,
      bestLoss: 0.5,
      evalLoss: 0.75,
      bestEvalLoss: 0.75,
    });
    expect((await cloud.svc.getJob(job.id)).job).toMatchObject(job);
    expect((await cloud.svc.listJobs()).jobs.find(({ id }) => id === job.id)?.origin).toEqual(given.origin);
    const common = { type: 'training.log', jobId: job.id };
    const end = '2025-02-01T10:00:00.000Z';
    expect(await readEvents(job.id)).toEqual([
      { ...common, step: 1, loss: 2, timestamp: '1970-01-01T00:00:01.000Z' },
      { ...common, step: 2, loss: 0.5, evalLoss: 0.75, timestamp: end },
      { ...common, step: 5, loss: 1, timestamp: '1970-01-01T00:00:03.000Z' },
      {
        ...common,
        type: 'training.completed',
        timestamp: end,
        artifacts: [],
        metrics: {},
        imported: true,
      },
      { ...common, type: 'end', timestamp: end, status: 'completed' },
    ]);
  });

  it('exists once for each ID there, whoever imports it again and however', async () => {
    const given = sample();
    const first = await cloud.svc.importJob(given);
    const [again, other] = await Promise.all([
      cloud.svc.importJob({ ...given, name: 'another' }, { idempotencyKey: 'a' }),
      cloud.svc.importJob(given, { idempotencyKey: 'b' }),
    ]);
    expect([again.job.id, other.job.id]).toEqual([first.job.id, first.job.id]);
    expect(again.job.name).toBe('triage');
    const { svc } = await cloud.openOther();
    expect((await svc.importJob(given)).job.id).not.toBe(first.job.id);
    const elsewhere = { ...given, origin: { ...given.origin, provider: 'other' } };
    expect((await cloud.svc.importJob(elsewhere)).job.id).not.toBe(first.job.id);
  });

  it('says why a failed one failed, and that nothing was trained in a canceled one', async () => {
    const failed = await cloud.svc.importJob(
      sample({ status: 'failed', error: 'bad row 3', steps: undefined }),
    );
    expect(failed.job).toMatchObject({ status: 'failed', error: 'bad row 3', step: null, loss: null });
    expect((await readEvents(failed.job.id)).map(({ type }) => type)).toEqual(['training.failed', 'end']);
    const cancelled = await cloud.svc.importJob(sample({ status: 'cancelled' }));
    expect(cancelled.job).toMatchObject({ status: 'cancelled', error: null });
  });

  it('has no adapter to chat with, publish or download, and says where the weights are', async () => {
    const { job } = await cloud.svc.importJob(sample());
    const why = `Job ${job.id} was imported from openai: its weights stay there, so it has no adapter here. Train it again with svc to get one.`;
    const adapter = { kind: 'final', jobId: job.id } as const;
    const messages = [{ role: 'user' as const, content: 'hi' }];
    const target = { kind: 'adapter', adapter } as const;
    for (const ask of [
      () => cloud.svc.chat({ adapter, messages, stream: false }),
      () => cloud.svc.createDeployment({ slug: 'nothing-here', target }),
      () => cloud.svc.downloadArtifact(job.id, 'final'),
    ])
      await expect(ask()).rejects.toMatchObject({ code: 'target_not_found', message: why });
    expect(await cloud.svc.listArtifacts(job.id)).toEqual({ artifacts: [] });
    await expect(cloud.svc.getJobManifest(job.id)).resolves.toMatchObject({
      manifest: { run: null, adapter: null, model: { name: 'gpt-x' } },
    });
    expect((await cloud.svc.listJobRows(job.id, {})).rows).toEqual([]);
  });

  it('is none of the jobs that clients of the project’s API trained', async () => {
    const { job } = await cloud.svc.importJob(sample());
    expect((await cloud.openai.fineTuning.jobs.list()).data).toEqual([]);
    await expect(cloud.openai.fineTuning.jobs.retrieve(job.id)).rejects.toMatchObject({ status: 404 });
  });

  it('can be edited, compared by its settings, and deleted, and imported again afterwards', async () => {
    const given = sample();
    const { job } = await cloud.svc.importJob(given);
    expect((await cloud.svc.updateJob(job.id, { note: 'old' })).job.note).toBe('old');
    expect((await cloud.svc.listJobSettings([job.id])).jobs[0]).toMatchObject({ config: job.config });
    await cloud.svc.deleteJob(job.id);
    expect((await cloud.svc.listJobs()).jobs.map(({ id }) => id)).not.toContain(job.id);
    expect((await cloud.svc.importJob(given)).job.id).not.toBe(job.id);
  });
});

describe('is refused', () => {
  it.each<[string, object]>([
    ['steps', { step: [1, 2], loss: [1] }],
    ['steps.step', { step: [2, 2] }],
    ['steps.step[0]', { step: [-1] }],
    // In microseconds.
    ['steps.time[0]', { step: [1], time: [1.7e15] }],
    ['steps.time[0]', { step: [1], time: [9e15] }],
    ['steps.loss[0]', { step: [1], loss: ['NaN'] }],
    ['steps.step', { step: Array.from({ length: 20_001 }, (_, at) => at) }],
  ])('when %s is wrong', async (param, steps) => {
    const sent = cloud.svc.importJob(sample({ steps } as Partial<JobImport>));
    await expect(sent).rejects.toMatchObject({ status: 400, param });
  });

  it('when its error has a NUL, after which the database would read nothing', async () => {
    const sent = cloud.svc.importJob(sample({ status: 'failed', error: 'bad\0row' }));
    await expect(sent).rejects.toMatchObject({ status: 400, param: 'error' });
  });

  it('when it has not ended, or has settings that are not', async () => {
    await expect(cloud.svc.importJob(sample({ status: 'running' as 'completed' }))).rejects.toMatchObject({
      param: 'status',
    });
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`a${at}`, 1]));
    for (const settings of [many, { 'a b': 1 }, { __proto__: 1, constructor: {} }])
      await expect(cloud.svc.importJob(sample({ settings } as Partial<JobImport>))).rejects.toMatchObject({
        status: 400,
      });
  });

  it('takes as many steps as a request may have', async () => {
    const count = 20_000;
    const list = Array.from({ length: count }, (_, at) => at);
    const steps = { step: list, loss: list.map(at => 1 / (at + 1)), evalLoss: list.map(() => null) };
    const { job } = await cloud.svc.importJob(sample({ steps }));
    expect(job).toMatchObject({ step: count - 1, bestLoss: 1 / count });
    expect(await readEvents(job.id)).toHaveLength(count + 2);
  });
});
