// How a job's config is checked, stored and passed on, and how its secrets are handled.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Job,
  type JobConfigInput,
  jobFieldsWith,
  job as jobSchema,
  TRAINING_DEFAULTS,
} from '../../../lib/contract/index.js';
import { jobsPerTest } from './jobs-per-test.js';
import { MODEL } from './test-jobs.js';

const cloud = jobsPerTest({ isStarted: false });

const hub = { type: 'huggingface', name: 'some/rows' } as const;

async function refusal(config: Record<string, unknown>) {
  const body = { name: 'x', config: { model: MODEL, datasetSource: hub, ...config } };
  const refused = await cloud.refusal('POST', '/v1/jobs', body);
  expect(await cloud.jobs.count()).toEqual({ queued: 0, running: 0 });
  return refused;
}

describe('creating a job', () => {
  it('queues it with every default filled in', async () => {
    const { id } = await cloud.create({}, 'mine');
    const createdAt = new Date(cloud.clock.at).toISOString();
    const who = { id, name: 'mine', trainer: 'mine', orgId: 'org-a', projectId: 'org-a/one' };
    const times = { createdAt, startedAt: null, completedAt: null };
    const progress = { status: 'queued', error: null, waitingFor: null, step: null, totalSteps: null };
    const results = { artifactCount: 0, scores: [], bestScore: null };
    const losses = { loss: null, evalLoss: null, bestLoss: null, bestEvalLoss: null };
    const labels = {
      tags: [],
      note: null,
      group: null,
      customSettings: [],
      fileNames: {},
      task: null,
      origin: null,
    };
    const others = Object.fromEntries(jobFieldsWith('missing').map(({ name, missing }) => [name, missing]));
    expect(jobSchema.parse(await cloud.ask(id))).toEqual({
      ...others,
      ...who,
      ...times,
      ...progress,
      ...results,
      ...losses,
      ...labels,
      config: { model: MODEL, datasetSource: hub, ...TRAINING_DEFAULTS },
    });
  });

  it('keeps its task, beside the config', async () => {
    const task = {
      name: 'triage',
      kind: 'labels' as const,
      input: { type: 'string' },
      output: { type: 'string', enum: ['a', 'b'] },
      labels: ['a', 'b'],
    };
    const body = { name: 'x', config: { model: MODEL, datasetSource: hub }, task };
    const { job } = await cloud.json<{ job: Job }>('POST', '/v1/jobs', body);
    const shown = jobSchema.parse(await cloud.ask(job.id));
    expect([job.task, shown.task, shown.config?.task]).toEqual([task, task, undefined]);
  });

  it('passes the config to the runner unchanged', async () => {
    const settings = {
      lora: { loraR: 4, loraAlpha: 9, loraDropout: 0.1, targetModules: ['q_proj'] },
      rows: { maxLength: 64, tooLong: 'skip', trainOnResponsesOnly: false, enableThinking: false },
      steps: { maxSteps: 7, numTrainEpochs: 2, batchSize: 3, gradientAccumulationSteps: 2 },
      rate: {
        learningRate: 0.5,
        lrSchedulerType: 'cosine',
        warmupSteps: 1,
        weightDecay: 0.01,
        maxGradNorm: 0.5,
      },
      often: { loggingSteps: 5, saveSteps: 6, evalSteps: 8, evalFraction: 0.25 },
      others: { seed: 11, dryRun: true },
    } as const;
    const chosen = Object.assign({}, ...Object.values(settings)) as Partial<JobConfigInput>;
    const source = { ...hub, split: 'test', subset: 'en' };
    const { id, config } = await cloud.create({ ...chosen, datasetSource: source });
    expect(config).toEqual({ model: MODEL, ...TRAINING_DEFAULTS, ...chosen, datasetSource: source });
    expect((await cloud.ask(id)).customSettings?.toSorted()).toEqual(Object.keys(chosen).sort());
    await cloud.jobs.start();
    const model = { modelFolder: '/models/tiny', modelName: MODEL, hubToken: '', attempt: 1 };
    const sources = { source, evaluationSource: undefined, evaluationFraction: 0.25 };
    const variables = { enable_thinking: false };
    const rules = { trainOn: 'all', variables, tooLong: 'skip', allowPrivateAddresses: true };
    const { lora, rate, steps } = settings;
    const often = { loggingSteps: 5, saveSteps: 6, evalSteps: 8 };
    const others = { method: null, maxLength: 64, keepCheckpoints: 3, seed: 11 };
    const [cacheFolder, roundedFolder] = [join(cloud.folder, 'downloads'), join(cloud.folder, 'rounded')];
    const folders = { folder: join(cloud.folder, 'jobs', id), cacheFolder, roundedFolder };
    const options = expect.objectContaining({ ...lora, ...steps, ...rate, ...often, ...others });
    const request = { ...model, ...sources, ...rules, ...folders, options };
    expect((await cloud.runner.next()).task).toEqual({ jobId: id, dryRun: true, request });
  });

  it('asks for the engine that has its method', async () => {
    await cloud.jobs.start();
    const reward = { type: 'string_check', name: 'a', input: 'b', reference: 'c', operation: 'eq' } as const;
    const method = { type: 'grpo', reward, schema: { type: 'object' } } as const;
    const { run } = await cloud.begin({ method });
    expect(run.document).toMatchObject({ engine: 'node', options: { method } });
  });

  it('rejects an unknown base model and names the one this cloud has', async () => {
    const message = expect.stringContaining(MODEL);
    const error = { status: 400, code: 'model_not_supported', param: 'config.model', message };
    expect(await refusal({ model: 'other/model' })).toMatchObject(error);
  });

  it('answers with the names of the files that it reads', async () => {
    const training = await cloud.upload('{"text":"a"}', 'train.jsonl');
    const evaluation = await cloud.upload('{"text":"b"}', 'held-out.jsonl');
    const { id } = await cloud.create({
      datasetSource: { type: 'upload', datasetId: training },
      evalDatasetSource: { type: 'upload', datasetId: evaluation },
    });
    const fileNames = { [training]: 'train.jsonl', [evaluation]: 'held-out.jsonl' };
    expect(await cloud.ask(id)).toMatchObject({ fileNames });
  });

  it('rejects a data set that does not exist or belongs to another organization', async () => {
    const elsewhere = '/v1/datasets?orgSlug=org-b&projectSlug=one';
    const rows = Buffer.from('{"text":"a"}');
    const { dataset } = await cloud.json<{ dataset: { id: string } }>('POST', elsewhere, rows);
    const error = { status: 400, code: 'dataset_invalid' };
    for (const datasetId of ['nope', dataset.id])
      for (const field of ['datasetSource', 'evalDatasetSource']) {
        const param = `config.${field}.datasetId`;
        expect(await refusal({ [field]: { type: 'upload', datasetId } })).toMatchObject({ ...error, param });
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
    const texts = files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1'));
    return [...(await Promise.all(texts)), JSON.stringify(cloud.log)].join('\n');
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

  it('are not taken in a grader: a job or an answer with one is refused, and nothing is kept of it', async () => {
    const grader = {
      ...{ type: 'score_model', name: 'kind', model: 'm', apiKey: token },
      input: [{ role: 'user', content: '{{sample.output_text}}' }],
    };
    const formula = { type: 'multi', name: 'all', graders: { kind: grader }, calculate_output: 'kind' };
    const method = (reward: object) => ({ method: { type: 'grpo', reward } }) as never;
    const answers = [{ item: {}, text: 'a' }];
    const refused = await Promise.all([
      refusal(method(grader)),
      refusal(method(formula)),
      cloud.refusal('POST', '/v1/rewards', { grader, answers }),
    ]);
    expect(refused.map(({ status, code, param }) => [status, code, param])).toEqual([
      [400, 'unsupported_parameter', 'config.method.reward.apiKey'],
      [400, 'unsupported_parameter', 'config.method.reward.graders.kind.apiKey'],
      [400, 'unsupported_parameter', 'grader.apiKey'],
    ]);
    expect(JSON.stringify(refused) + (await everything())).not.toContain(token);
  });

  it("has the trainer's error, without its local paths", async () => {
    await cloud.jobs.start();
    const { id, run } = await cloud.begin();
    run.fail(`cannot read ${cloud.folder}/jobs/x nor /models/tiny/config.json`);
    const error = `cannot read the cloud's folder/jobs/x nor ${MODEL}/config.json`;
    expect(await cloud.until(id, 'failed')).toMatchObject({ error });
    expect(await cloud.story(id)).toBe('failed, end failed');
  });

  it('are lost when the cloud restarts, and the job fails with that reason', async () => {
    const { id } = await cloud.create({ datasetSource: blob });
    await cloud.restart();
    await cloud.jobs.start();
    const { error } = await cloud.until(id, 'failed');
    expect(error).toMatch(/token or signature for data\.invalid.*gone.*Start the run again\.$/);
    expect(cloud.runner.runs).toEqual([]);
  });

  it('come back with a request that is sent again after a restart, until the job has ended', async () => {
    const body = { name: 'x', config: { model: MODEL, datasetSource: blob } };
    const send = () => cloud.call('POST', '/v1/jobs', body, { 'idempotency-key': 'again' });
    const { job } = (await (await send()).json()) as { job: Job };
    await cloud.restart();
    expect(await (await send()).json()).toMatchObject({ job: { id: job.id } });
    await cloud.jobs.start();
    const { error } = await cloud.until(job.id, 'failed');
    expect(error).toContain('data.invalid');
    expect(error).not.toContain('kept in memory alone');
  });
});

describe('with weights in nf4', () => {
  const small = jobsPerTest({ torchWeights: 'nf4', concurrency: 2 });

  it('tells PyTorch so, and fails what needs another engine', async () => {
    const { run } = await small.begin();
    expect(run.document).toMatchObject({ engine: null, weights: 'nf4' });
    const { id } = await small.create({ engine: 'node' });
    expect((await small.until(id, 'failed')).error).toMatch(/svc's own engine, which does not have .* nf4\./);
  });
});
