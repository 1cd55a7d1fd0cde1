// What people call jobs: names, tags, notes and groups. And what a list says beside: its pages, losses and settings.
import { describe, expect, it } from 'vitest';
import type { Job, JobSummary } from '../../../lib/contract/index.js';
import { jobsPerTest } from './jobs-per-test.js';
import { MODEL, scope } from './test-jobs.js';

const cloud = jobsPerTest({ isStarted: false });

const config = { model: MODEL, datasetSource: { type: 'huggingface', name: 'some/rows' } };
const GROUP = '10000000-0000-4000-8000-000000000000';

const create = async (body: object) =>
  (await cloud.json<{ job: Job }>('POST', '/v1/jobs', { config, ...body })).job;

it('a new job keeps what it was created with, also in the list', async () => {
  const settings = [
    { name: 'learningRate', value: 0.001 },
    { name: 'lrScheduler', value: 'cosine' },
  ];
  const labels = { trainer: 'triage', note: 'first line\nsecond', group: { id: GROUP, settings } };
  const kept = { ...labels, name: 'trial 1', tags: ['one', 'two'] };
  expect(await create({ ...kept, tags: ['one', 'two', 'one'] })).toMatchObject(kept);
  expect(await cloud.list()).toMatchObject([kept]);
});

describe('a changed job', () => {
  it('has a new name, new tags and a note, and keeps what was not given', async () => {
    const { id } = await create({ name: 'triage', tags: ['old'] });
    const change = async (patch: object) =>
      (await cloud.json<{ job: Job }>('PATCH', `/v1/jobs/${id}`, patch)).job;
    expect(await change({ name: '  trial 1 ' })).toMatchObject({ name: 'trial 1', tags: ['old'] });
    expect(await change({ tags: ['new', 'x'] })).toMatchObject({ name: 'trial 1', tags: ['new', 'x'] });
    expect(await change({ note: 'good' })).toMatchObject({ tags: ['new', 'x'], note: 'good' });
    expect(await change({})).toMatchObject({ name: 'trial 1', note: 'good', trainer: 'triage' });
    expect(await change({ note: '', tags: [] })).toMatchObject({ note: null, tags: [] });
    const labels = { name: 'trial 1', trainer: 'triage', tags: [], note: null };
    expect(await cloud.list()).toMatchObject([{ id, ...labels }]);
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'a\u0007' }, 'name'],
    [{ tags: [' '] }, 'tags[0]'],
    [{ tags: Array.from({ length: 21 }, (_, i) => `t${i}`) }, 'tags'],
    [{ tags: ['x'.repeat(51)] }, 'tags[0]'],
    [{ note: 'x'.repeat(2001) }, 'note'],
    [{ note: 'a\u001b[2J' }, 'note'],
    [{ status: 'completed' }, 'status'],
  ])('cannot have %j', async (patch, param) => {
    const { id } = await create({ name: 'triage' });
    expect(await cloud.refusal('PATCH', `/v1/jobs/${id}`, patch)).toMatchObject({ status: 400, param });
  });
});

describe('the pages of a list', () => {
  it('have all jobs once, in the order of the whole list, and end without an empty page', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await create({ name });
    expect(Object.keys(await cloud.json<object>('GET', '/v1/jobs'))).toEqual(['jobs']);
    const page = async (query: string) => {
      const path = `/v1/jobs${scope}&limit=${query}`;
      const { jobs, nextCursor } = await cloud.json<{ jobs: JobSummary[]; nextCursor: string }>('GET', path);
      return { names: jobs.map(({ name }) => name).join(), nextCursor };
    };
    const first = await page('3');
    expect(first.names).toBe('d,c,b');
    expect(await page(`3&cursor=${first.nextCursor}`)).toEqual({ names: 'a', nextCursor: null });
    expect(await page('4')).toEqual({ names: 'd,c,b,a', nextCursor: null });
  });

  it.each(['limit=0', 'limit=501', 'limit=x', 'cursor=x'])('refuse %s', async wrong => {
    expect((await cloud.call('GET', `/v1/jobs${scope}&${wrong}`)).status).toBe(400);
  });
});

it('the losses of a job are the last ones and the lowest ones, of training and of the evaluations', async () => {
  const { id } = await create({ name: 'triage' });
  const losses = async () =>
    (await cloud.list()).map(job => [job.loss, job.evalLoss, job.bestLoss, job.bestEvalLoss]);
  expect(await losses()).toEqual([[null, null, null, null]]);
  await cloud.jobs.start();
  const run = await cloud.runner.next();
  for (const [i, loss] of [2, 0.5, 1].entries()) void run.tell('training.log', { step: i + 1, loss });
  await cloud.untilStep(id, 3);
  expect(await losses()).toEqual([[1, null, 0.5, null]]);
  void run.tell('training.log', { step: 4, loss: 0.25, evalLoss: 0.75 });
  void run.tell('training.log', { step: 5, loss: 0.25, evalLoss: 0.875 });
  await cloud.untilStep(id, 5);
  expect(await losses()).toEqual([[0.25, 0.875, 0.25, 0.75]]);
});

it('the rewards of a job that learns from them are in lists, too, and its lowest loss is not its best', async () => {
  const { id } = await create({ name: 'count' });
  await cloud.jobs.start();
  const run = await cloud.runner.next();
  void run.tell('training.log', { step: 1, loss: 0.1, reward: 0.75, evalReward: 0.5 });
  void run.tell('training.log', { step: 2, loss: -0.1, reward: 0.25, evalReward: 0.625 });
  await cloud.untilStep(id, 2);
  const rewards = { reward: 0.25, evalReward: 0.625, bestReward: 0.75, bestEvalReward: 0.625 };
  expect(await cloud.list()).toMatchObject([{ ...rewards, loss: -0.1, bestLoss: null }]);
});

it('the settings of several jobs come at once, without samples, and only for jobs of the project', async () => {
  const samples = [{ messages: [{ role: 'user', content: 'Hi' }] }];
  const one = await create({ name: 'a', config: { ...config, loraR: 8, samples } });
  const two = await create({ name: 'b' });
  const ids = [two.id, one.id, GROUP];
  const { jobs } = await cloud.json<{ jobs: Job[] }>('POST', '/v1/jobs/settings', { ids });
  const byId = new Map(jobs.map(job => [job.id, job]));
  expect([...byId.keys()].sort()).toEqual([one.id, two.id].sort());
  expect(byId.get(one.id)).toMatchObject({ config: { loraR: 8 }, customSettings: ['loraR'] });
  expect(byId.get(one.id)!.config).not.toHaveProperty('samples');
  expect(byId.get(two.id)).toMatchObject({ config: { loraR: 16 }, customSettings: [] });
  const elsewhere = `/v1/jobs/settings${scope.replace('one', 'two')}`;
  expect(await cloud.json('POST', elsewhere, { ids })).toEqual({ jobs: [] });
});
