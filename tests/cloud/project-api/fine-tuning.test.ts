// Fine-tuning jobs of a project, by OpenAI's own client. Trainers follow the test's script.
import type { FineTuningJob as OpenAiJob } from 'openai/resources/fine-tuning/jobs/jobs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FineTuningJob, fineTuningJob } from '../../../lib/contract/index.js';
import { until } from '../../support/until.js';
import { MODEL, openProjectCloud, type ProjectCloud, refusal, type rowsFile } from './project-cloud.js';
import { completeTuning, createTuning, uploadRows } from './tuning-jobs.js';

/** The official type is the judge: this file does not compile if a job deviates. */
const toOpenAi: (job: FineTuningJob) => OpenAiJob = job => job;

let cloud: ProjectCloud;
let jobs: ProjectCloud['openai']['fineTuning']['jobs'];
beforeEach(async () => {
  cloud = await openProjectCloud();
  jobs = cloud.openai.fineTuning.jobs;
});
afterEach(() => cloud.close());

const upload = (...file: Parameters<typeof rowsFile>) => uploadRows(cloud, ...file);
const create = (more?: object) => createTuning(cloud, more);
const complete = (id: string) => completeTuning(cloud, id);
const configOf = async (id: string) => (await cloud.svc.getJob(id)).job.config!;

describe('a fine-tuning job', () => {
  it('is created from files, and becomes a model', async () => {
    const [training_file, validation_file] = [await upload(), await upload('held-out.jsonl', 1)];
    const metadata = { team: 'support' };
    const hyperparameters = { n_epochs: 2, batch_size: 1, learning_rate_multiplier: 0.3 };
    const created = await jobs.create({
      model: MODEL,
      training_file,
      validation_file,
      suffix: 'Our Triage',
      seed: 7,
      metadata,
      method: { type: 'supervised', supervised: { hyperparameters } },
    });
    const seconds = Math.floor(cloud.clock.at / 1000);
    expect(toOpenAi(fineTuningJob.parse(created))).toEqual(created);
    expect(created).toEqual({
      id: expect.any(String),
      object: 'fine_tuning.job',
      created_at: seconds,
      error: null,
      fine_tuned_model: null,
      finished_at: null,
      hyperparameters,
      model: MODEL,
      organization_id: cloud.orgSlug,
      result_files: [],
      seed: 7,
      status: expect.stringMatching(/queued|running/),
      trained_tokens: null,
      training_file,
      validation_file,
      estimated_finish: null,
      metadata,
      method: { type: 'supervised', supervised: { hyperparameters } },
    });
    expect(await configOf(created.id)).toMatchObject({
      numTrainEpochs: 2,
      batchSize: 1,
      learningRate: 0.0002 * 0.3,
      seed: 7,
      saveSteps: 3,
      evalSteps: 3,
      evalDatasetSource: { type: 'upload' },
    });
    await complete(created.id);
    const done = await jobs.retrieve(created.id);
    expect(done).toMatchObject({
      status: 'succeeded',
      fine_tuned_model: `ft:${MODEL}:${cloud.orgSlug}:our-triage:${created.id}`,
      finished_at: seconds,
      trained_tokens: 100,
      result_files: [`file-results-${created.id}`],
    });
    expect((await cloud.openai.models.retrieve(done.fine_tuned_model!)).id).toBe(done.fine_tuned_model);
  });

  it('has defaults for what is not asked for, or is `auto`, and the name of its file', async () => {
    const auto = { n_epochs: 'auto', batch_size: 'auto', learning_rate_multiplier: 'auto' } as const;
    const training_file = await upload('grüße an alle.train.jsonl', 9);
    const created = await jobs.create({ model: MODEL, training_file, hyperparameters: auto, suffix: null });
    expect(created.hyperparameters).toEqual({ n_epochs: 3, batch_size: 8, learning_rate_multiplier: 1 });
    expect(created).toMatchObject({ seed: 42, metadata: null, validation_file: null });
    const { job } = await cloud.svc.getJob(created.id);
    expect(job).toMatchObject({ name: 'grüße an alle.train', config: { saveSteps: 2 } });
    expect(job.config).not.toHaveProperty('evalSteps');
  });

  it('takes hyperparameters as older clients send them', async () => {
    const { id } = await create({ hyperparameters: { n_epochs: 5, learning_rate_multiplier: 2 } });
    expect(await configOf(id)).toMatchObject({ numTrainEpochs: 5, learningRate: 0.0004, batchSize: 8 });
  });

  it('is created once by requests with the same key', async () => {
    const body = { model: MODEL, training_file: await upload() };
    const options = { headers: { 'idempotency-key': 'once' } };
    const [first, second] = [await jobs.create(body, options), await jobs.create(body, options)];
    expect(second.id).toBe(first.id);
    expect((await jobs.list()).data).toHaveLength(1);
  });

  it('says when it will probably end', async () => {
    const { id } = await create();
    const run = await cloud.runner.next();
    run.started({ totalSteps: 10 });
    const start = cloud.clock.at;
    const at = (seconds: number) => ({ timestamp: new Date(start + seconds * 1000).toISOString() });
    await run.tell('training.log', { step: 1, loss: 1, ...at(2) });
    expect((await jobs.retrieve(id)).estimated_finish).toBeNull();
    await run.tell('training.log', { step: 3, loss: 1, ...at(6) });
    const { status, estimated_finish } = await jobs.retrieve(id);
    expect([status, estimated_finish]).toEqual(['running', Math.floor((start + 20_000) / 1000)]);
    run.end('failed');
  });

  it('that failed says why', async () => {
    const { id } = await create();
    const run = await cloud.runner.next();
    await run.tell('training.failed', { error: 'The loss is not a number.' });
    run.end('failed', 1);
    await until(async () => (await jobs.retrieve(id)).status).toBe('failed');
    expect(await jobs.retrieve(id)).toMatchObject({
      error: { code: 'training_failed', message: 'The loss is not a number.', param: null },
      fine_tuned_model: null,
      result_files: [],
      finished_at: expect.any(Number),
    });
    const [end, failure] = (await jobs.listEvents(id)).data;
    expect([end!.message, failure!.level, failure!.message]).toEqual([
      'The job has failed.',
      'error',
      'The loss is not a number.',
    ]);
  });

  it('can be cancelled, for svc as well', async () => {
    const { id } = await create();
    const run = await cloud.runner.next();
    run.onTold = () => run.end('cancelled');
    expect(await jobs.cancel(id)).toMatchObject({ id, status: 'cancelled' });
    expect(run.told).toEqual(['cancel']);
    expect((await cloud.svc.getJob(id)).job.status).toBe('cancelled');
    expect(await jobs.cancel(id)).toMatchObject({ status: 'cancelled' });
  });

  it('of another project does not exist', async () => {
    const other = (await cloud.openOther()).openai.fineTuning.jobs;
    const { id, training_file } = await create();
    for (const call of [other.retrieve(id), other.cancel(id), other.listEvents(id)])
      expect(await refusal(call)).toMatchObject({ status: 404, code: 'job_not_found' });
    expect(await refusal(other.checkpoints.list(id))).toMatchObject({ status: 404 });
    expect((await other.list()).data).toEqual([]);
    expect(await refusal(other.create({ model: MODEL, training_file }))).toMatchObject({
      status: 400,
      param: 'training_file',
    });
    expect((await jobs.retrieve(id)).status).not.toBe('cancelled');
  });
});

describe('a job that learns preferences', () => {
  it('has the method dpo with its beta, and tells how often the preferred answer wins', async () => {
    const training_file = await upload();
    const created = await jobs.create({
      model: MODEL,
      training_file,
      method: { type: 'dpo', dpo: { hyperparameters: { beta: 0.3, n_epochs: 2 } } },
    });
    const resolved = { n_epochs: 2, batch_size: 8, learning_rate_multiplier: 1, beta: 0.3 };
    expect(toOpenAi(fineTuningJob.parse(created))).toEqual(created);
    expect(created.method).toEqual({ type: 'dpo', dpo: { hyperparameters: resolved } });
    expect(await configOf(created.id)).toMatchObject({
      method: { type: 'dpo', beta: 0.3, labelSmoothing: 0, sftWeight: 0 },
      numTrainEpochs: 2,
    });
    const run = await cloud.runner.next();
    run.started({ totalSteps: 1, trainTokens: 100 });
    const rewards = { rewardMargin: 1.5, rewardAccuracy: 0.75, evalRewardMargin: 1, evalRewardAccuracy: 0.5 };
    await run.tell('training.log', { step: 1, loss: 0.5, epoch: 2, ...rewards });
    await run.complete(1);
    await until(async () => (await jobs.retrieve(created.id)).status).toBe('succeeded');
    const { data: events } = await jobs.listEvents(created.id);
    expect(events.find(({ type }) => type === 'metrics')!.data).toEqual({
      step: 1,
      train_loss: 0.5,
      epoch: 2,
      train_reward_margin: 1.5,
      train_reward_accuracy: 0.75,
      valid_reward_margin: 1,
      valid_reward_accuracy: 0.5,
    });
  });

  it.each([{ dpo: { hyperparameters: { beta: 'auto' as const } } }, {}])(
    'uses the default beta with %j',
    async more => {
      const { id, method } = await create({ method: { type: 'dpo', ...more } });
      expect(method).toMatchObject({ dpo: { hyperparameters: { beta: 0.1 } } });
      expect(await configOf(id)).toMatchObject({ method: { beta: 0.1 } });
    },
  );
});

describe('a request that is refused', () => {
  const supervised = (hyperparameters: object) => ({
    method: { type: 'supervised', supervised: { hyperparameters } },
  });
  const preferring = (hyperparameters: object) => ({ method: { type: 'dpo', dpo: { hyperparameters } } });
  const wrong: [more: object, status: number, param: string][] = [
    [{ model: 'gpt-4o-mini' }, 404, 'model'],
    [{ model: undefined }, 400, 'model'],
    [{ training_file: 'file-unknown' }, 400, 'training_file'],
    [{ training_file: undefined }, 400, 'training_file'],
    [{ validation_file: 'file-unknown' }, 400, 'validation_file'],
    [{ suffix: 'x'.repeat(65) }, 400, 'suffix'],
    [{ seed: -1 }, 400, 'seed'],
    [{ integrations: [{ type: 'wandb', wandb: { project: 'x' } }] }, 400, 'integrations'],
    [{ method: { type: 'reinforcement' } }, 400, 'method.type'],
    [{ method: { type: 'other' } }, 400, 'method.type'],
    [{ method: 'supervised' }, 400, 'method'],
    [{ method: [] }, 400, 'method'],
    [{ hyperparameters: 'auto' }, 400, 'hyperparameters'],
    [{ training_file: 'file-\ud800' }, 400, 'training_file'],
    [{ suffix: '\u0000' }, 400, 'suffix'],
    [{ metadata: [] }, 400, 'metadata'],
    [{ integrations: 'x' }, 400, 'integrations'],
    [{ method: { type: 'supervised', dpo: {} } }, 400, 'method.dpo'],
    [{ method: { type: 'dpo', supervised: {} } }, 400, 'method.supervised'],
    [preferring({ beta: 0 }), 400, 'method.dpo.hyperparameters.beta'],
    [{ ...preferring({}), hyperparameters: {} }, 400, 'hyperparameters'],
    [supervised({ n_epochs: 0 }), 400, 'method.supervised.hyperparameters.n_epochs'],
    [supervised({ batch_size: 1.5 }), 400, 'method.supervised.hyperparameters.batch_size'],
    [{ hyperparameters: { learning_rate_multiplier: 0 } }, 400, 'hyperparameters.learning_rate_multiplier'],
    [{ hyperparameters: { n_epochs: 'all' } }, 400, 'hyperparameters.n_epochs'],
    [{ ...supervised({}), hyperparameters: {} }, 400, 'hyperparameters'],
    [{ metadata: { a: 1 } }, 400, 'metadata.a'],
    [{ metadata: { a: 'x'.repeat(513) } }, 400, 'metadata.a'],
    [{ metadata: { ['x'.repeat(65)]: '1' } }, 400, `metadata.${'x'.repeat(65)}`],
    [{ metadata: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [i, ''])) }, 400, 'metadata'],
  ];

  it('names the field', async () => {
    for (const [more, status, param] of wrong)
      expect(await refusal(create(more)), JSON.stringify(more)).toMatchObject({ status, param });
    expect((await jobs.list()).data).toEqual([]);
  });

  it('says that training does not continue from an adapter', async () => {
    const { id } = await create();
    await complete(id);
    const model = (await jobs.retrieve(id)).fine_tuned_model!;
    const error = await refusal(create({ model }));
    expect(error).toMatchObject({ status: 400, code: 'model_not_supported', param: 'model' });
    expect(error.message).toContain('cannot continue from an adapter');
  });
});
