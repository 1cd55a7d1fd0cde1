// What people call jobs: names, tags, notes and groups. And what a list says beside: its pages, losses and settings.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Job, JobSummary } from '../../../lib/contract/index.js';
import { createScriptedRunner, type ScriptedRunner } from './scripted-runner.js';
import { MODEL, openTestJobs, scope, type TestJobs } from './test-jobs.js';

let runner: ScriptedRunner;
let cloud: TestJobs;
beforeEach(async () => {
  runner = createScriptedRunner();
  cloud = await openTestJobs(runner);
});
afterEach(() => cloud.close());

const config = { model: MODEL, datasetSource: { type: 'huggingface', name: 'some/rows' } };
const GROUP = '10000000-0000-4000-8000-000000000000';

async function create(body: object): Promise<Job> {
  return (await cloud.json<{ job: Job }>('POST', '/v1/jobs', { config, ...body })).job;
}

async function change(id: string, patch: object): Promise<Job> {
  return (await cloud.json<{ job: Job }>('PATCH', `/v1/jobs/${id}`, patch)).job;
}

const list = async () => (await cloud.json<{ jobs: JobSummary[] }>('GET', '/v1/jobs')).jobs;

describe('a new job', () => {
  it('has no tags, note or group, and its name is that of its trainer', async () => {
    expect(await create({ name: 'triage' })).toMatchObject({
      trainer: 'triage',
      tags: [],
      note: null,
      group: null,
    });
  });

  it('keeps what it was created with, also in the list', async () => {
    const group = {
      id: GROUP,
      settings: [
        { name: 'learningRate', value: 0.001 },
        { name: 'lrScheduler', value: 'cosine' },
      ],
    };
    const labels = { trainer: 'triage', tags: ['one', 'two', 'one'], note: 'first line\nsecond', group };
    const kept = { ...labels, name: 'trial 1', tags: ['one', 'two'] };
    expect(await create({ name: 'trial 1', ...labels })).toMatchObject(kept);
    expect(await list()).toMatchObject([kept]);
  });
});

describe('a changed job', () => {
  it('has a new name, new tags and a note, and keeps what was not given', async () => {
    const { id } = await create({ name: 'triage', tags: ['old'] });
    expect(await change(id, { name: '  trial 1 ' })).toMatchObject({ name: 'trial 1', tags: ['old'] });
    expect(await change(id, { tags: ['new', 'x'] })).toMatchObject({ name: 'trial 1', tags: ['new', 'x'] });
    expect(await change(id, { note: 'good' })).toMatchObject({ tags: ['new', 'x'], note: 'good' });
    expect(await change(id, {})).toMatchObject({ name: 'trial 1', note: 'good', trainer: 'triage' });
    expect(await change(id, { note: '', tags: [] })).toMatchObject({ note: null, tags: [] });
    expect(await list()).toMatchObject([{ id, name: 'trial 1', trainer: 'triage', tags: [], note: null }]);
  });

  it('makes every list outdated', async () => {
    const { id } = await create({ name: 'triage' });
    const tag = (await cloud.call('GET', '/v1/jobs')).headers.get('etag')!;
    await change(id, { note: 'good' });
    expect((await cloud.call('GET', '/v1/jobs', undefined, { 'if-none-match': tag })).status).toBe(200);
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
    const response = await cloud.call('PATCH', `/v1/jobs/${id}`, patch);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param } });
  });
});

describe('the pages of a list', () => {
  it('have all jobs once, in the order of the whole list', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await create({ name });
    const seen: string[] = [];
    let cursor: string | null = '';
    const sizes: number[] = [];
    while (cursor !== null) {
      const query: string = `${scope}&limit=2${cursor && `&cursor=${cursor}`}`;
      const page: { jobs: JobSummary[]; nextCursor: string | null } = await cloud.json(
        'GET',
        `/v1/jobs${query}`,
      );
      seen.push(...page.jobs.map(({ name }) => name));
      sizes.push(page.jobs.length);
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(['e', 'd', 'c', 'b', 'a']);
    expect(sizes).toEqual([2, 2, 1]);
  });

  it('end without an empty page', async () => {
    for (const name of ['a', 'b']) await create({ name });
    const page = await cloud.json('GET', `/v1/jobs${scope}&limit=2`);
    expect(page).toMatchObject({ jobs: [{ name: 'b' }, { name: 'a' }], nextCursor: null });
  });

  it('are not what is returned without a limit or a cursor', async () => {
    await create({ name: 'a' });
    expect(Object.keys(await cloud.json<object>('GET', '/v1/jobs'))).toEqual(['jobs']);
  });

  it.each(['limit=0', 'limit=501', 'limit=x', 'cursor=x'])('refuse %s', async wrong => {
    expect((await cloud.call('GET', `/v1/jobs${scope}&${wrong}`)).status).toBe(400);
  });
});

describe('the losses of a job', () => {
  it('are the last ones and the lowest ones, of training and of the evaluations', async () => {
    const { id } = await create({ name: 'triage' });
    const losses = async () => {
      const [{ loss, evalLoss, bestLoss, bestEvalLoss }] = (await list()) as [JobSummary];
      return [loss, evalLoss, bestLoss, bestEvalLoss];
    };
    expect(await losses()).toEqual([null, null, null, null]);
    await cloud.jobs.start();
    const run = await runner.next();
    void run.tell('training.log', { step: 1, loss: 2 });
    void run.tell('training.log', { step: 2, loss: 0.5 });
    void run.tell('training.log', { step: 3, loss: 1 });
    await cloud.untilStep(id, 3);
    expect(await losses()).toEqual([1, null, 0.5, null]);
    void run.tell('training.log', { step: 4, loss: 0.25, evalLoss: 0.75 });
    void run.tell('training.log', { step: 5, loss: 0.25, evalLoss: 0.875 });
    await cloud.untilStep(id, 5);
    expect(await losses()).toEqual([0.25, 0.875, 0.25, 0.75]);
  });
});

describe('the settings of several jobs', () => {
  it('come at once, without samples, and only for jobs of the project', async () => {
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
});
