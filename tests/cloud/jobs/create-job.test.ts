// How a job's config is checked, stored and passed on, and how its secrets are handled.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job, JobConfigInput } from '../../../lib/contract/index.js';
import { job as jobSchema, TARGET_MODULES } from '../../../lib/contract/index.js';
import { createScriptedRunner, type ScriptedRunner } from './scripted-runner.js';
import { MODEL, openTestJobs, type TestJobs } from './test-jobs.js';

let runner: ScriptedRunner;
let cloud: TestJobs;
beforeEach(async () => {
  runner = createScriptedRunner();
  cloud = await openTestJobs(runner);
});
afterEach(() => cloud.close());

const hub = { type: 'huggingface', name: 'some/rows' } as const;

async function refusal(config: Record<string, unknown>) {
  const body = { name: 'x', config: { model: MODEL, datasetSource: hub, ...config } };
  const response = await cloud.call('POST', '/v1/jobs', body);
  expect(await cloud.jobs.count()).toEqual({ queued: 0, running: 0 });
  const { error } = (await response.json()) as { error: { code: string; param: string; message: string } };
  return { status: response.status, ...error };
}

describe('creating a job', () => {
  it('queues it with every default filled in', async () => {
    const { id } = await cloud.create({}, 'mine');
    const { job } = await cloud.json<{ job: Job }>('GET', `/v1/jobs/${id}`);
    expect(jobSchema.parse(job)).toEqual({
      id,
      name: 'mine',
      status: 'queued',
      error: null,
      createdAt: new Date(cloud.clock.at).toISOString(),
      startedAt: null,
      completedAt: null,
      orgId: 'org-a',
      projectId: 'org-a/one',
      step: null,
      totalSteps: null,
      artifactCount: 0,
      waitingFor: null,
      loss: null,
      evalLoss: null,
      bestLoss: null,
      bestEvalLoss: null,
      bestScore: null,
      scores: [],
      trainer: 'mine',
      tags: [],
      note: null,
      group: null,
      customSettings: [],
      fileNames: {},
      config: {
        model: MODEL,
        datasetSource: hub,
        loraR: 16,
        loraAlpha: 32,
        loraDropout: 0,
        targetModules: [...TARGET_MODULES],
        maxLength: 512,
        tooLong: 'truncate',
        numTrainEpochs: 3,
        learningRate: 0.0002,
        batchSize: 8,
        gradientAccumulationSteps: 1,
        lrSchedulerType: 'linear',
        warmupSteps: 0,
        weightDecay: 0,
        loggingSteps: 1,
        saveSteps: 50,
        trainOnResponsesOnly: true,
        seed: 42,
        dryRun: false,
      },
    });
  });

  it('passes the config to the runner unchanged', async () => {
    const asked: Partial<JobConfigInput> = {
      loraR: 4,
      loraAlpha: 9,
      loraDropout: 0.1,
      targetModules: ['q_proj'],
      maxLength: 64,
      tooLong: 'skip',
      maxSteps: 7,
      numTrainEpochs: 2,
      learningRate: 0.5,
      batchSize: 3,
      gradientAccumulationSteps: 2,
      lrSchedulerType: 'cosine',
      warmupSteps: 1,
      weightDecay: 0.01,
      loggingSteps: 5,
      saveSteps: 6,
      evalSteps: 8,
      evalFraction: 0.25,
      trainOnResponsesOnly: false,
      seed: 11,
      dryRun: true,
      datasetSource: { ...hub, split: 'test', subset: 'en' },
    };
    const { id, config } = await cloud.create(asked);
    expect(config).toEqual({ model: MODEL, ...asked });
    const { job } = await cloud.json<{ job: Job }>('GET', `/v1/jobs/${id}`);
    const chosen = Object.keys(asked).filter(name => name !== 'datasetSource');
    expect(job.customSettings?.toSorted()).toEqual(chosen.toSorted());
    await cloud.jobs.start();
    expect((await runner.next()).task).toEqual({
      jobId: id,
      dryRun: true,
      request: {
        hubToken: '',
        modelFolder: '/models/tiny',
        modelName: MODEL,
        source: { ...hub, split: 'test', subset: 'en' },
        evaluationSource: undefined,
        evaluationFraction: 0.25,
        trainOn: 'all',
        tooLong: 'skip',
        options: {
          rank: 4,
          alpha: 9,
          dropout: 0.1,
          modules: ['q_proj'],
          maxLength: 64,
          maxSteps: 7,
          epochs: 2,
          learningRate: 0.5,
          batchSize: 3,
          accumulation: 2,
          schedule: 'cosine',
          warmupSteps: 1,
          weightDecay: 0.01,
          loggingSteps: 5,
          saveSteps: 6,
          keepCheckpoints: 3,
          maxGradientNorm: 1,
          evalSteps: 8,
          seed: 11,
        },
        folder: join(cloud.folder, 'jobs', id),
        cacheFolder: join(cloud.folder, 'downloads'),
        roundedFolder: join(cloud.folder, 'rounded'),
        allowPrivateAddresses: true,
        attempt: 1,
      },
    });
  });

  it('lets jobs of an earlier version keep their evaluation rows', async () => {
    const { id, config } = await cloud.create({ evalFraction: 0.25 });
    await cloud.db
      .updateTable('jobs')
      .set({ config: JSON.stringify({ ...config, evalSplit: 'position' }) })
      .where('id', '=', id)
      .execute();
    await cloud.jobs.start();
    expect((await runner.next()).task.request).toMatchObject({ evaluationSplit: 'position' });
  });

  it('rejects an unknown base model and names the one this cloud has', async () => {
    expect(await refusal({ model: 'other/model' })).toMatchObject({
      status: 400,
      code: 'model_not_supported',
      param: 'config.model',
      message: expect.stringContaining(MODEL),
    });
  });

  it('answers with the names of the files that it reads', async () => {
    const [training, evaluation] = [
      await cloud.upload('{"text":"a"}', 'train.jsonl'),
      await cloud.upload('{"text":"b"}', 'held-out.jsonl'),
    ];
    const source = (datasetId: string) => ({ type: 'upload', datasetId }) as const;
    const { id } = await cloud.create({
      datasetSource: source(training),
      evalDatasetSource: source(evaluation),
    });
    const { job } = await cloud.json<{ job: Job }>('GET', `/v1/jobs/${id}`);
    expect(job.fileNames).toEqual({ [training]: 'train.jsonl', [evaluation]: 'held-out.jsonl' });
  });

  it('rejects a data set that does not exist or belongs to another organization', async () => {
    const upload = await cloud.call(
      'POST',
      '/v1/datasets?orgSlug=org-b&projectSlug=one',
      Buffer.from('{"text":"a"}'),
    );
    const { dataset } = (await upload.json()) as { dataset: { id: string } };
    for (const datasetId of ['nope', dataset.id]) {
      const source = { type: 'upload', datasetId };
      expect(await refusal({ datasetSource: source })).toMatchObject({
        status: 400,
        code: 'dataset_invalid',
        param: 'config.datasetSource.datasetId',
      });
      expect(await refusal({ evalDatasetSource: source })).toMatchObject({
        param: 'config.evalDatasetSource.datasetId',
      });
    }
  });

  it('rejects a URL that contains a password', async () => {
    const datasetSource = { type: 'blob', url: 'https://me:pass@data.test/rows.jsonl' };
    const { message, ...rest } = await refusal({ datasetSource });
    expect(rest).toMatchObject({ status: 400, code: 'invalid_value', param: 'config.datasetSource.url' });
    expect(message).not.toContain('pass@');
  });
});

describe('the secrets of a job', () => {
  const token = 'tok-3cr3t';
  const blob = { type: 'blob', url: `https://data.invalid/rows.jsonl?sig=s1gn3d`, token } as const;

  /** Every byte in the cloud's folder, plus its log. */
  async function everything(): Promise<string> {
    const names = await readdir(cloud.folder, { recursive: true, withFileTypes: true });
    const files = names.filter(entry => entry.isFile());
    const texts = await Promise.all(
      files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')),
    );
    return [...texts, JSON.stringify(cloud.log)].join('\n');
  }

  it('are not stored, returned or logged', async () => {
    const { id, config } = await cloud.create({ datasetSource: blob, evalDatasetSource: blob });
    const shown = { type: 'blob', url: 'https://data.invalid/rows.jsonl' };
    expect(config).toMatchObject({ datasetSource: shown, evalDatasetSource: shown });
    await cloud.jobs.start();
    const { error } = await cloud.until(id, 'failed');
    expect(error).toContain('data.invalid');
    const all = (await everything()) + JSON.stringify(await cloud.events(id));
    expect(all).toContain('data.invalid/rows.jsonl');
    for (const secret of [token, 's1gn3d']) expect(all).not.toContain(secret);
  });

  it("has the trainer's local paths removed from its error", async () => {
    const { id } = await cloud.create();
    await cloud.jobs.start();
    const run = await runner.next();
    run.tell('training.failed', { error: `cannot read ${cloud.folder}/jobs/x nor /models/tiny/config.json` });
    run.end('failed', 1);
    expect((await cloud.until(id, 'failed')).error).toBe(
      `cannot read the cloud's folder/jobs/x nor ${MODEL}/config.json`,
    );
  });

  it('are lost when the cloud restarts, and the job fails with that reason', async () => {
    const { id } = await cloud.create({ datasetSource: blob });
    cloud = await cloud.reopen(runner);
    await cloud.jobs.start();
    const { error } = await cloud.until(id, 'failed');
    expect(error).toMatch(/token or signature for data\.invalid.*gone.*Start the run again\.$/);
    expect(runner.runs).toEqual([]);
  });
});
