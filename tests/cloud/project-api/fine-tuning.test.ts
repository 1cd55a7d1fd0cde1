// Fine-tuning jobs of a project, by OpenAI's own client. Trainers follow the test's script.
import type { FineTuningJob as OpenAiJob } from 'openai/resources/fine-tuning/jobs/jobs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FineTuningJob, fineTuningJob } from '../../../lib/contract/index.js';
import { until } from '../../support/until.js';
import type { ScriptedRun } from '../jobs/scripted-runner.js';
import { MODEL, openProjectCloud, type ProjectCloud, type rowsFile } from './project-cloud.js';
import { refusal } from './sample-project-api.js';
import { completeTuning, createTuning, toSvcId, uploadRows } from './tuning-jobs.js';

/** The official type is the judge: this file does not compile if a job deviates. */
const toOpenAi = ({ method, ...job }: FineTuningJob): OpenAiJob => ({
  ...job,
  // Graders have a test of their own.
  ...(method.type !== 'reinforcement' && { method }),
});

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
const configOf = async (id: string) => (await cloud.svc.getJob(toSvcId(id))).job.config!;

describe('a fine-tuning job', () => {
  it('is created from files, and becomes a model', async () => {
    const [training_file, validation_file] = [await upload(), await upload('held-out.jsonl', 1)];
    const hyperparameters = { n_epochs: 2, batch_size: 1, learning_rate_multiplier: 0.3 };
    const method = { type: 'supervised' as const, supervised: { hyperparameters } };
    const asked = {
      model: MODEL,
      training_file,
      validation_file,
      seed: 7,
      metadata: { team: 'support' },
      method,
    };
    const created = await jobs.create({ ...asked, suffix: 'Our Triage' });
    const seconds = Math.floor(cloud.clock.at / 1000);
    expect(toOpenAi(fineTuningJob.parse(created))).toEqual(created);
    expect(created).toEqual({
      ...asked,
      id: expect.stringMatching(/^ftjob-[0-9a-f]{8}-/),
      object: 'fine_tuning.job',
      created_at: seconds,
      error: null,
      fine_tuned_model: null,
      finished_at: null,
      hyperparameters,
      organization_id: cloud.orgSlug,
      result_files: [],
      status: expect.stringMatching(/queued|running/),
      trained_tokens: null,
      estimated_finish: null,
    });
    const epochs = { numTrainEpochs: 2, batchSize: 1, learningRate: 0.0002 * 0.3, seed: 7 };
    const evaluation = { saveSteps: 3, evalSteps: 3, evalDatasetSource: { type: 'upload' } };
    expect(await configOf(created.id)).toMatchObject({ ...epochs, ...evaluation });
    await complete(created.id);
    const fine_tuned_model = `ft:${MODEL}:${cloud.orgSlug}:our-triage:${toSvcId(created.id)}`;
    expect(await jobs.retrieve(created.id)).toMatchObject({
      status: 'succeeded',
      fine_tuned_model,
      finished_at: seconds,
      trained_tokens: 100,
      result_files: [`file-results-${toSvcId(created.id)}`],
    });
    expect((await cloud.openai.models.retrieve(fine_tuned_model)).id).toBe(fine_tuned_model);
  });

  it('has defaults for what is not asked for, or is `auto`, and the name of its file', async () => {
    const auto = { n_epochs: 'auto', batch_size: 'auto', learning_rate_multiplier: 'auto' } as const;
    const training_file = await upload('grüße an alle.train.jsonl', 9);
    const created = await jobs.create({ model: MODEL, training_file, hyperparameters: auto, suffix: null });
    expect(created.hyperparameters).toEqual({ n_epochs: 11, batch_size: 1, learning_rate_multiplier: 1 });
    expect(created).toMatchObject({ seed: 42, metadata: null, validation_file: null });
    const { job } = await cloud.svc.getJob(toSvcId(created.id));
    expect(job).toMatchObject({ name: 'grüße an alle.train', config: { saveSteps: 9 } });
    expect(job.config).not.toHaveProperty('evalSteps');
  });

  it('takes hyperparameters as older clients send them', async () => {
    const { id } = await create({ hyperparameters: { n_epochs: 5, learning_rate_multiplier: 2 } });
    expect(await configOf(id)).toMatchObject({ numTrainEpochs: 5, learningRate: 0.0004, batchSize: 1 });
  });

  it.each([
    [1, 25, 1],
    [24, 4, 1],
    [1_000, 3, 2],
    [20_000, 1, 32],
  ])('of %i rows learns them in %i epochs, %i in a step', async (rows, n_epochs, batch_size) => {
    const training_file = await upload('rows.jsonl', rows);
    const created = await jobs.create({ model: MODEL, training_file });
    expect(created.hyperparameters).toMatchObject({ n_epochs, batch_size });
  });

  it("is found by svc's own ID, too", async () => {
    const { id } = await create();
    expect((await jobs.retrieve(toSvcId(id))).id).toBe(id);
  });

  it('is created once by requests with the same key', async () => {
    const body = { model: MODEL, training_file: await upload() };
    const options = { headers: { 'idempotency-key': 'once' } };
    const [first, second] = [await jobs.create(body, options), await jobs.create(body, options)];
    expect(second.id).toBe(first.id);
    expect((await jobs.list()).data).toHaveLength(1);
  });

  it('says when it will probably end, by the steps since it was last started', async () => {
    const { id } = await create();
    const run = await cloud.runner.next();
    run.started({ totalSteps: 10 });
    const start = cloud.clock.at;
    const log = (step: number, seconds: number) => {
      const timestamp = new Date(start + seconds * 1000).toISOString();
      return run.tell('training.log', { step, loss: 1, timestamp });
    };
    await log(1, 2);
    const estimate = async () => (await jobs.retrieve(id)).estimated_finish;
    expect(await estimate()).toBeNull();
    await log(3, 6);
    const estimated_finish = Math.floor((start + 20_000) / 1000);
    expect(await jobs.retrieve(id)).toMatchObject({ status: 'running', estimated_finish });
    run.started({ totalSteps: 10, resumedFromStep: 3 });
    await log(4, 3600);
    expect(await estimate()).toBeNull();
    await log(6, 3606);
    expect(await estimate()).toBe(Math.floor((start + 3_618_000) / 1000));
    run.end('failed');
  });

  it('that failed says why', async () => {
    const { id } = await create();
    const run = await cloud.runner.next();
    const message = 'The loss is not a number.';
    await run.tell('training.failed', { error: message });
    run.end('failed', 1);
    await until(async () => (await jobs.retrieve(id)).status).toBe('failed');
    const error = { code: 'training_failed', message, param: null };
    const failed = { error, fine_tuned_model: null, result_files: [], finished_at: expect.any(Number) };
    expect(await jobs.retrieve(id)).toMatchObject(failed);
    const [end, failure] = (await jobs.listEvents(id)).data;
    expect([end, failure]).toMatchObject([{ message: 'The job has failed.' }, { level: 'error', message }]);
  });

  it('can be cancelled, for svc as well', async () => {
    const { id } = await create();
    const run = await cloud.runner.next();
    run.onTold = () => run.end('cancelled');
    expect(await jobs.cancel(id)).toMatchObject({ id, status: 'cancelled' });
    expect(run.told).toEqual(['cancel']);
    expect((await cloud.svc.getJob(toSvcId(id))).job.status).toBe('cancelled');
    expect(await jobs.cancel(id)).toMatchObject({ status: 'cancelled' });
  });

  it('of another project does not exist', async () => {
    const other = (await cloud.openOther()).openai.fineTuning.jobs;
    const { id, training_file } = await create();
    const calls = [other.retrieve(id), other.cancel(id), other.listEvents(id), other.checkpoints.list(id)];
    for (const call of calls)
      expect(await refusal(call)).toMatchObject({ status: 404, code: 'job_not_found' });
    expect((await other.list()).data).toEqual([]);
    const created = await refusal(other.create({ model: MODEL, training_file }));
    expect(created).toMatchObject({ status: 400, param: 'training_file' });
    expect((await jobs.retrieve(id)).status).not.toBe('cancelled');
  });
});

describe('a job that learns preferences', () => {
  it('has the method dpo with its beta, and tells how often the preferred answer wins', async () => {
    const hyperparameters = { beta: 0.3, n_epochs: 2 };
    const created = await create({ method: { type: 'dpo', dpo: { hyperparameters } } });
    const resolved = { ...hyperparameters, batch_size: 1, learning_rate_multiplier: 1 };
    expect(toOpenAi(fineTuningJob.parse(created))).toEqual(created);
    expect(created.method).toEqual({ type: 'dpo', dpo: { hyperparameters: resolved } });
    const method = { type: 'dpo', beta: 0.3, labelSmoothing: 0, sftWeight: 0 };
    expect(await configOf(created.id)).toMatchObject({ method, numTrainEpochs: 2 });
    const run = await cloud.runner.next();
    run.started({ totalSteps: 1, trainTokens: 100 });
    const rewards = { rewardMargin: 1.5, rewardAccuracy: 0.75, evalRewardMargin: 1, evalRewardAccuracy: 0.5 };
    await run.tell('training.log', { step: 1, loss: 0.5, epoch: 2, ...rewards });
    await run.complete(1);
    await until(async () => (await jobs.retrieve(created.id)).status).toBe('succeeded');
    const { data: events } = await jobs.listEvents(created.id);
    const train = { train_loss: 0.5, train_reward_margin: 1.5, train_reward_accuracy: 0.75 };
    const valid = { valid_reward_margin: 1, valid_reward_accuracy: 0.5 };
    const metrics = events.find(({ type }) => type === 'metrics')!.data;
    expect(metrics).toEqual({ step: 1, epoch: 2, ...train, ...valid });
  });

  it.each([{ dpo: { hyperparameters: { beta: 'auto' } } }, {}])(
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
  const wrong: [more: object, param: string][] = [
    [{ model: undefined }, 'model'],
    [{ training_file: 'file-unknown' }, 'training_file'],
    [{ training_file: undefined }, 'training_file'],
    [{ validation_file: 'file-unknown' }, 'validation_file'],
    [{ suffix: 'x'.repeat(65) }, 'suffix'],
    [{ seed: -1 }, 'seed'],
    [{ integrations: [{ type: 'wandb', wandb: { project: 'x' } }] }, 'integrations'],
    [{ method: { type: 'other' } }, 'method.type'],
    [{ method: 'supervised' }, 'method'],
    [{ method: [] }, 'method'],
    [{ hyperparameters: 'auto' }, 'hyperparameters'],
    [{ training_file: 'file-\ud800' }, 'training_file'],
    [{ suffix: '\u0000' }, 'suffix'],
    [{ metadata: [] }, 'metadata'],
    [{ integrations: 'x' }, 'integrations'],
    [{ method: { type: 'supervised', dpo: {} } }, 'method.dpo'],
    [{ method: { type: 'dpo', supervised: {} } }, 'method.supervised'],
    [preferring({ beta: 0 }), 'method.dpo.hyperparameters.beta'],
    [{ ...preferring({}), hyperparameters: {} }, 'hyperparameters'],
    [supervised({ n_epochs: 0 }), 'method.supervised.hyperparameters.n_epochs'],
    [supervised({ batch_size: 1.5 }), 'method.supervised.hyperparameters.batch_size'],
    [{ hyperparameters: { learning_rate_multiplier: 0 } }, 'hyperparameters.learning_rate_multiplier'],
    [{ hyperparameters: { n_epochs: 'all' } }, 'hyperparameters.n_epochs'],
    [{ ...supervised({}), hyperparameters: {} }, 'hyperparameters'],
    [{ metadata: { a: 1 } }, 'metadata.a'],
    [{ metadata: { a: 'x'.repeat(513) } }, 'metadata.a'],
    [{ metadata: { ['x'.repeat(65)]: '1' } }, `metadata.${'x'.repeat(65)}`],
    [{ metadata: Object.fromEntries(Array.from({ length: 17 }, (_, i) => [i, ''])) }, 'metadata'],
  ];

  it('names the field', async () => {
    for (const [more, param] of wrong)
      expect(await refusal(create(more)), JSON.stringify(more)).toMatchObject({ status: 400, param });
    expect(await refusal(create({ model: 'gpt-4o-mini' }))).toMatchObject({ status: 404, param: 'model' });
    expect((await jobs.list()).data).toEqual([]);
  });
});

describe('a fine-tuning job of a model that is fine-tuned already', () => {
  it('goes on from its adapter, or from a checkpoint of it, and says which', async () => {
    const { id } = await create();
    await complete(id);
    const model = (await jobs.retrieve(id)).fine_tuned_model!;
    const next = await create({ model });
    expect(next.model).toBe(model);
    const jobId = toSvcId(id);
    expect(await configOf(next.id)).toMatchObject({ model: MODEL, from: { kind: 'final', jobId, step: 2 } });
    await complete(next.id);
    expect((await jobs.retrieve(next.id)).fine_tuned_model).toContain(toSvcId(next.id));
    const [checkpoint] = (await jobs.checkpoints.list(id)).data.toReversed();
    const again = await create({ model: checkpoint!.fine_tuned_model_checkpoint });
    expect(await configOf(again.id)).toMatchObject({ from: { kind: 'checkpoint', jobId, step: 1 } });
    expect(again.model).toBe(checkpoint!.fine_tuned_model_checkpoint);
  });

  it('keeps the ID of a model that was deleted meanwhile', async () => {
    const { id } = await create();
    await complete(id);
    const model = (await jobs.retrieve(id)).fine_tuned_model!;
    const next = await create({ model });
    await complete(next.id);
    await cloud.openai.models.delete(model);
    expect((await jobs.retrieve(next.id)).model).toContain(toSvcId(id));
    expect(await refusal(create({ model }))).toMatchObject({ status: 404, param: 'model' });
  });
});

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

const waitingFor = async (id: string) => (await cloud.svc.getJob(toSvcId(id))).job.waitingFor;
const listed = async (id: string) => (await cloud.svc.listJobs()).jobs.find(job => job.id === toSvcId(id));
const isIdle = () => cloud.cloud.isIdle();

describe('a running job', () => {
  it('is paused after its step, while the next job runs, and resumes from its checkpoint', async () => {
    const { id } = await create();
    const run = await cloud.runner.next();
    run.started();
    pauseAt(run, 4);
    expect((await jobs.pause(id)).status).toBe('queued');
    const next = await create();
    await complete(next.id);
    expect(run.told).toEqual(['pause']);
    const paused = expect.stringContaining('It is paused.');
    const seen = [await waitingFor(id), (await listed(id))!.waitingFor, await isIdle()];
    expect(seen).toEqual([paused, paused, true]);
    expect((await jobs.checkpoints.list(id)).data.map(({ step_number }) => step_number)).toEqual([4]);

    expect((await jobs.resume(id)).status).toMatch(/queued|running/);
    const resumed = await cloud.runner.next();
    expect([resumed.task.jobId, resumed.has(4)]).toEqual([toSvcId(id), true]);
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
    const { id } = await create();
    const run = await cloud.runner.next();
    run.onTold = () => {};
    await jobs.pause(id);
    await jobs.resume(id);
    run.end('paused');
    const again = await cloud.runner.next();
    expect(again.task.jobId).toBe(toSvcId(id));
    again.end('failed');
  });
});

describe('a paused job', () => {
  it('that was queued does not start until it is resumed', async () => {
    const first = await create();
    const second = await create();
    await jobs.pause(second.id);
    const deleting = cloud.openai.files.delete(second.training_file);
    expect(await refusal(deleting)).toMatchObject({
      message: expect.stringContaining('is paused and was created'),
    });
    await complete(first.id);
    const third = await create();
    await complete(third.id);
    expect(cloud.runner.runs.map(({ task }) => task.jobId)).toEqual([first.id, third.id].map(toSvcId));
    await jobs.resume(second.id);
    await complete(second.id);
  });

  it('can be cancelled, and keeps its file until then', async () => {
    const { id, training_file } = await create();
    const run = await cloud.runner.next();
    pauseAt(run, 1);
    await jobs.pause(id);
    expect(await refusal(cloud.openai.files.delete(training_file))).toMatchObject({ code: 'file_in_use' });
    expect((await jobs.cancel(id)).status).toBe('cancelled');
    await run.ended;
    expect(await cloud.openai.files.delete(training_file)).toMatchObject({ deleted: true });
    const message = expect.stringContaining('is cancelled, so it');
    for (const call of [jobs.pause(id), jobs.resume(id)])
      expect(await refusal(call)).toMatchObject({ status: 400, message });
  });
});

it('pausing twice, or resuming what is not paused, changes nothing', async () => {
  const { id } = await create();
  const run = await cloud.runner.next();
  await jobs.resume(id);
  expect((await jobs.retrieve(id)).status).toBe('running');
  pauseAt(run, 1);
  await jobs.pause(id);
  await jobs.pause(id);
  await until(async () => (await jobs.checkpoints.list(id)).data.length).toBe(1);
  expect(cloud.runner.runs).toHaveLength(1);
});
