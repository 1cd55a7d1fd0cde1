// The lists of OpenAI's format: a project's jobs, and what a job has when it has run.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FineTuningJobCheckpoint } from 'openai/resources/fine-tuning/jobs/checkpoints';
import type { FineTuningJobEvent } from 'openai/resources/fine-tuning/jobs/jobs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type FineTuningCheckpoint,
  type FineTuningEvent,
  fineTuningCheckpoint,
  fineTuningEvent,
} from '../../../lib/contract/index.js';
import { MODEL, openProjectCloud, type ProjectCloud, rowsFile } from './project-cloud.js';
import { refusal } from './sample-project-api.js';
import { completeTuning, createTuning, toSvcId, uploadRows } from './tuning-jobs.js';

/** The official types are the judge: this file does not compile if an answer deviates. */
const toOpenAiEvent: (event: FineTuningEvent) => FineTuningJobEvent = event => event;
const toOpenAiCheckpoint: (checkpoint: FineTuningCheckpoint) => FineTuningJobCheckpoint = found => found;

let cloud: ProjectCloud;
let jobs: ProjectCloud['openai']['fineTuning']['jobs'];
beforeEach(async () => {
  cloud = await openProjectCloud();
  jobs = cloud.openai.fineTuning.jobs;
});
afterEach(() => cloud.close());

const create = (more?: object) => createTuning(cloud, more);

describe('the list of jobs', () => {
  it("has all of the project's jobs, the newest first, in pages", async () => {
    const { dataset } = await cloud.svc.uploadDataset('rows.jsonl', await rowsFile().text());
    const config = { model: MODEL, datasetSource: { type: 'upload', datasetId: dataset.id } as const };
    const { job } = await cloud.svc.createJob({ name: 'by svc', config });
    const ids = [`ftjob-${job.id}`];
    for (let i = 0; i < 3; i++) ids.unshift((await create()).id);
    expect((await jobs.list()).data.map(({ id }) => id)).toEqual(ids);
    const page = await jobs.list({ limit: 1, after: ids[1]! });
    expect([page.data.map(({ id }) => id), page.has_more]).toEqual([[ids[2]], true]);
    const all: string[] = [];
    for await (const { id } of jobs.list({ limit: 2 })) all.push(id);
    expect(all).toEqual(ids);
    const training_file = `upload:${dataset.id}`;
    expect(await jobs.retrieve(job.id)).toMatchObject({ training_file, metadata: null });
    expect((await cloud.svc.listJobs()).jobs.map(({ id }) => `ftjob-${id}`)).toEqual(ids);
  });

  it('goes on after a job that was deleted since its page', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.unshift((await create()).id);
    const deleted: string[] = [];
    for await (const { id } of jobs.list({ limit: 2 })) {
      deleted.push(id);
      await jobs.cancel(id);
      await cloud.svc.deleteJob(toSvcId(id));
    }
    expect(deleted).toEqual(ids);
  });

  it('can be asked for metadata', async () => {
    const both = await create({ metadata: { team: 'a', 'odd "key"\'[]': '1' } });
    const one = await create({ metadata: { team: 'a' } });
    const none = await create();
    const idsOf = async (metadata: Record<string, string> | null) =>
      (await jobs.list({ metadata })).data.map(({ id }) => id);
    expect(await idsOf({ team: 'a' })).toEqual([one.id, both.id]);
    expect(await idsOf({ team: 'a', 'odd "key"\'[]': '1' })).toEqual([both.id]);
    expect(await idsOf({ team: 'b' })).toEqual([]);
    expect(await idsOf(null)).toEqual([none.id]);
    const response = await cloud.send('/fine_tuning/jobs?metadata=null');
    expect(await response.json()).toMatchObject({ data: [{ id: none.id }], has_more: false });
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['after=unknown', 'after'],
    // No job can have it, and all jobs would be listed if it were ignored.
    ['metadata[__proto__]=x', 'metadata'],
  ])('is refused for %s', async (query, param) => {
    const response = await cloud.send(`/fine_tuning/jobs?${query}`);
    expect([response.status, await response.json()]).toMatchObject([400, { error: { param } }]);
  });
});

it('a cursor that names no job is refused as it was given', async () => {
  const refused = jobs.list({ after: 'ftjob-abc' });
  await expect(refused).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('`ftjob-abc`'),
  });
});

describe('a job that has run', () => {
  let id: string;
  beforeEach(async () => {
    ({ id } = await create());
    await completeTuning(cloud, id);
  });

  it('has events, the newest first, in pages', async () => {
    const { data, has_more } = await jobs.listEvents(id);
    for (const event of data) expect(toOpenAiEvent(fineTuningEvent.parse(event))).toEqual(event);
    expect(has_more).toBe(false);
    expect(data.map(({ message }) => message)).toEqual([
      'The job has successfully completed.',
      'The adapter is saved.',
      'Step 2, train loss 0.2500',
      'Checkpoint saved at step 1.',
      'Step 1, train loss 0.5000, valid loss 0.7500',
      'Training started: 2 steps.',
    ]);
    const metrics = { step: 1, train_loss: 0.5, valid_loss: 0.75, learning_rate: 0.0002, epoch: 0.5 };
    expect(data[4]).toMatchObject({ type: 'metrics', data: metrics });
    expect(data[0]).toMatchObject({ type: 'message', level: 'info', data: {} });
    const ids: string[] = [];
    for await (const event of jobs.listEvents(id, { limit: 4 })) ids.push(event.id);
    expect(ids).toEqual(data.map(event => event.id));
    for (const after of ['1', `ftevent-${crypto.randomUUID()}-1`])
      expect(await refusal(jobs.listEvents(id, { after }))).toMatchObject({ param: 'after' });
  });

  it('has checkpoints, which are models', async () => {
    const { data } = await jobs.checkpoints.list(id);
    for (const checkpoint of data)
      expect(toOpenAiCheckpoint(fineTuningCheckpoint.parse(checkpoint))).toEqual(checkpoint);
    const adapter = `ft:${MODEL}:${cloud.orgSlug}:train:${toSvcId(id)}`;
    const checkpoint = {
      object: 'fine_tuning.job.checkpoint',
      created_at: expect.any(Number),
      fine_tuning_job_id: id,
    };
    expect(data).toEqual([
      {
        ...checkpoint,
        id: `ftckpt-${toSvcId(id)}-2`,
        fine_tuned_model_checkpoint: adapter,
        metrics: { step: 2, train_loss: 0.25 },
        step_number: 2,
      },
      {
        ...checkpoint,
        id: `ftckpt-${toSvcId(id)}-1`,
        fine_tuned_model_checkpoint: `${adapter}:ckpt-step-1`,
        metrics: { step: 1, train_loss: 0.5, valid_loss: 0.75 },
        step_number: 1,
      },
    ]);
    const models = (await cloud.openai.models.list()).data.map(found => found.id);
    for (const { fine_tuned_model_checkpoint: model } of data) expect(models).toContain(model);
    const after = data[0]!.id;
    expect((await jobs.checkpoints.list(id, { after })).data).toEqual(data.slice(1));
    expect(await refusal(jobs.checkpoints.list(id, { after: 'x' }))).toMatchObject({ param: 'after' });
  });

  it('has models that no other project may use', async () => {
    const { permissions } = cloud.openai.fineTuning.checkpoints;
    const { fine_tuned_model } = await jobs.retrieve(id);
    expect((await permissions.retrieve(fine_tuned_model!)).data).toEqual([]);
    const created = permissions.create(fine_tuned_model!, { project_ids: ['proj_1'] });
    expect(await refusal(created)).toMatchObject({ status: 400, param: 'project_ids' });
    const removed = permissions.delete('cp_1', { fine_tuned_model_checkpoint: fine_tuned_model! });
    expect(await refusal(removed)).toMatchObject({ status: 400 });
    expect(await refusal(permissions.retrieve('ft:other'))).toMatchObject({ code: 'model_not_found' });
  });

  it('has its results in a file, which is computed', async () => {
    const { files } = cloud.openai;
    const results = (await jobs.retrieve(id)).result_files[0]!;
    const csv = await (await files.content(results)).text();
    expect(csv).toBe(
      'step,train_loss,valid_loss,learning_rate,epoch\n1,0.5,0.75,0.0002,0.5\n2,0.25,,0.0002,1\n',
    );
    const file = { bytes: csv.length, filename: 'step_metrics.csv', purpose: 'fine-tune-results' };
    expect(await files.retrieve(results)).toMatchObject(file);
    expect(await refusal(files.delete(results))).toMatchObject({ status: 400 });
    const other = (await cloud.openOther()).openai;
    expect(await refusal(other.files.content(results))).toMatchObject({ status: 404 });
  });

  it('keeps what it was trained on when its file is deleted, until it is deleted itself', async () => {
    const { training_file, fine_tuned_model } = await jobs.retrieve(id);
    await cloud.openai.files.delete(training_file);
    expect(await jobs.retrieve(id)).toMatchObject({ training_file, status: 'succeeded' });
    cloud.clock.at += 10 * 24 * 60 * 60 * 1000;
    expect(await cloud.cloud.collectGarbage()).toEqual({ files: 0, bytes: 0 });
    await cloud.openai.models.delete(fine_tuned_model!);
    expect(await refusal(jobs.retrieve(id))).toMatchObject({ status: 404 });
    expect(await cloud.cloud.collectGarbage()).toEqual({ files: 0, bytes: 0 });
  });
});

it('a file that a job in the queue was created with is not deleted', async () => {
  const [training_file, validation_file] = [
    await uploadRows(cloud),
    await uploadRows(cloud, 'held-out.jsonl', 2),
  ];
  const { id } = await jobs.create({ model: MODEL, training_file, validation_file });
  for (const file of [training_file, validation_file]) {
    const error = await refusal(cloud.openai.files.delete(file));
    expect(error).toMatchObject({ status: 409, code: 'file_in_use' });
    expect(error.headers!.get('x-should-retry')).toBe('false');
  }
  await jobs.cancel(id);
  for (const file of [training_file, validation_file])
    expect(await cloud.openai.files.delete(file)).toMatchObject({ deleted: true });
});

it('a job with files leaves an upload by svc that no job has named yet', async () => {
  const datasets = () => readdir(join(cloud.folder, 'datasets'));
  await cloud.svc.uploadDataset('rows.jsonl', await rowsFile().text());
  const { id, training_file } = await create();
  await completeTuning(cloud, id);
  await cloud.openai.files.delete(training_file);
  await cloud.openai.models.delete((await jobs.retrieve(id)).fine_tuned_model!);
  expect(await datasets()).toHaveLength(1);
  const again = await create();
  await jobs.cancel(again.id);
  await cloud.openai.files.delete(again.training_file);
  await cloud.svc.deleteJob(toSvcId(again.id));
  expect(await datasets()).toHaveLength(1);
});
