// The list of jobs: complete, newest first, and cheap to poll.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Job, type JobSummary, jobSummary } from '../../../lib/contract/index.js';
import { createScriptedRunner, type ScriptedRunner } from './scripted-runner.js';
import { openTestJobs, type TestJobs } from './test-jobs.js';

let runner: ScriptedRunner;
let cloud: TestJobs;
beforeEach(async () => {
  runner = createScriptedRunner();
  cloud = await openTestJobs(runner);
});
afterEach(() => cloud.close());

const list = async () => (await cloud.json<{ jobs: JobSummary[] }>('GET', '/v1/jobs')).jobs;
const ask = (tag: string | null) =>
  cloud.call('GET', '/v1/jobs', undefined, tag === null ? {} : { 'if-none-match': tag });

describe('the list of jobs', () => {
  it('is empty at first', async () => {
    expect(await list()).toEqual([]);
  });

  it('has every job of the project, newest first, with the same fields as a single job except its settings and scores', async () => {
    const names = ['a', 'b "quoted" \\ ü ✓', 'c'];
    for (const name of names) await cloud.create({}, name);
    const foreign = { model: 'svc/tiny', datasetSource: { type: 'huggingface', name: 'x' } };
    const elsewhere = '/v1/jobs?orgSlug=org-a&projectSlug=two';
    await cloud.call('POST', elsewhere, { name: 'other', config: foreign });
    const jobs = await list();
    expect(jobs.map(({ name }) => name)).toEqual(names.toReversed());
    for (const job of jobs) {
      expect(jobSummary.parse(job)).toEqual(job);
      const { job: alone } = await cloud.json<{ job: Job }>('GET', `/v1/jobs/${job.id}`);
      const { config: _config, customSettings: _custom, fileNames: _names, scores: _scores, ...rest } = alone;
      expect(job).toEqual(rest);
    }
  });

  it('returns thousands of jobs in order', async () => {
    const { id: _, ...first } = await cloud.create();
    const template = await cloud.db.selectFrom('jobs').selectAll().executeTakeFirstOrThrow();
    const rows = Array.from({ length: 4500 }, (_, i) => ({
      ...template,
      id: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
      number: i + 2,
      name: `job ${i}`,
    }));
    for (let i = 0; i < rows.length; i += 1000)
      await cloud.db
        .insertInto('jobs')
        .values(rows.slice(i, i + 1000))
        .execute();
    const jobs = await list();
    expect(jobs).toHaveLength(4501);
    expect(jobs.map(({ name }) => name)).toEqual([...rows.map(({ name }) => name).reverse(), first.name]);
  });

  it('answers 304 until something changes', async () => {
    let tag = (await ask(null)).headers.get('etag');
    const changes = async (what: () => Promise<unknown>) => {
      expect((await ask(tag)).status).toBe(304);
      expect((await ask(`W/"other", W/${tag}`)).status).toBe(304);
      await what();
      const changed = await ask(tag);
      expect(changed.status).toBe(200);
      expect(changed.headers.get('etag')).not.toBe(tag);
      tag = changed.headers.get('etag');
    };
    let job: Job | undefined;
    await changes(async () => {
      job = await cloud.create();
    });
    const id = job!.id;
    await changes(async () => {
      await cloud.jobs.start();
      await cloud.until(id, 'running');
    });
    const run = await runner.next();
    await changes(async () => {
      run.log(1);
      await cloud.untilStep(id, 1);
    });
    await changes(() => cloud.json('POST', `/v1/jobs/${id}/cancel`));
    run.end('cancelled');
    await changes(() => cloud.json('DELETE', `/v1/jobs/${id}`));
    expect((await ask(tag)).status).toBe(304);
  });

  it('does not accept an ETag from before a restart', async () => {
    const tag = (await ask(null)).headers.get('etag');
    cloud = await cloud.reopen(runner);
    expect((await ask(tag)).status).toBe(200);
  });
});

describe('a single job', () => {
  it('answers 404 to other projects', async () => {
    const { id } = await cloud.create();
    const scopes = ['?orgSlug=org-b&projectSlug=one', '?orgSlug=org-a&projectSlug=two'];
    for (const scope of scopes)
      for (const [method, path, body] of [
        ['GET', ''],
        ['PATCH', '', { name: 'mine' }],
        ['DELETE', ''],
        ['POST', '/cancel'],
        ['POST', '/scores', { step: 5, scores: { accuracy: 1 } }],
        ['GET', '/events/stream'],
        ['GET', '/rows'],
        ['GET', '/manifest'],
        ['GET', '/artifacts'],
        ['GET', '/artifacts/final'],
      ] as const) {
        const response = await cloud.call(method, `/v1/jobs/${id}${path}${scope}`, body);
        expect(await response.json()).toMatchObject({ error: { code: 'job_not_found' } });
        expect(response.status).toBe(404);
      }
    expect(await cloud.until(id, 'queued')).toMatchObject({ name: 'a job' });
  });
});
