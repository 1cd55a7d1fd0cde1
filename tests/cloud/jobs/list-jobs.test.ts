// The list of jobs: complete, newest first, and cheap to poll, however many there are. Counted in rows and bytes, not in time.
import { join } from 'node:path';
import type { KyselyPlugin, RootOperationNode } from 'kysely';
import Database from 'libsql';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  applyJobChanges,
  CHANGES_WANTED,
  type JobListChanges,
  type JobSummary,
  jobListChanges,
  jobSummary,
} from '../../../lib/contract/index.js';
import { jobsPerTest } from './jobs-per-test.js';
import { MODEL } from './test-jobs.js';

let queries: RootOperationNode[];
let rows: number;
/** A plan that reads all jobs of a project, rather than those with some keys, after a number, or that have not ended. */
const WHOLE_PROJECT = /SCAN jobs|jobs_by_project \(project_id=\?\)/;
const watch: KyselyPlugin = {
  transformQuery({ node }) {
    queries.push(node);
    return node;
  },
  async transformResult({ result }) {
    rows += result.rows.length;
    return result;
  },
};
beforeEach(() => {
  [queries, rows] = [[], 0];
});
const cloud = jobsPerTest({ isStarted: false, wrapDb: db => db.withPlugin(watch) });

interface Look {
  jobs: JobSummary[];
  tag: string;
}

const ask = (tag: string, headers: Record<string, string> = CHANGES_WANTED) =>
  cloud.call('GET', '/v1/jobs', undefined, { 'if-none-match': tag, ...headers });

async function look(): Promise<Look> {
  const response = await cloud.call('GET', '/v1/jobs');
  return { jobs: ((await response.json()) as Look).jobs, tag: response.headers.get('etag')! };
}

/** The changes since a look, and what they led to. */
async function changesSince({ jobs, tag }: Look) {
  const response = await ask(tag);
  expect([response.status, response.headers.get('im')]).toEqual([226, 'jobs']);
  const text = await response.text();
  const changes = jobListChanges.parse(JSON.parse(text)) as JobListChanges;
  const after = applyJobChanges(jobs, changes) as JobSummary[];
  const now: Look = { jobs: after, tag: response.headers.get('etag')! };
  return { changes, now, bytes: text.length };
}

/** Jobs that have ended long ago: copies of one, with other IDs, names and numbers. */
async function addEnded(count: number, firstNumber: number): Promise<void> {
  const ended = cloud.db.selectFrom('jobs').selectAll().where('status', '=', 'cancelled');
  const template = await ended.limit(1).executeTakeFirstOrThrow();
  const all = Array.from({ length: count }, (_, index) => firstNumber + index).map(number => ({
    ...template,
    id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    name: `job ${number}`,
    number,
  }));
  for (let from = 0; from < count; from += 500) {
    const some = all.slice(from, from + 500);
    await cloud.db.insertInto('jobs').values(some).execute();
  }
}

/** How the database finds the rows of each query since they were forgotten. */
function expectKeysOnly(): void {
  expect(queries.length).toBeGreaterThan(0);
  const executor = cloud.db.getExecutor();
  const file = new Database(join(cloud.folder, 'cloud.db'), { readonly: true });
  try {
    for (const node of queries) {
      const { sql, parameters } = executor.compileQuery(node, { queryId: 'plan' });
      const plan = file.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { detail: string }[];
      expect(plan.map(({ detail }) => detail).join('; ')).not.toMatch(WHOLE_PROJECT);
    }
  } finally {
    file.close();
  }
}

describe('the list of jobs', () => {
  it('has every job of the project, newest first, with the same fields as a single job except its settings and scores', async () => {
    const names = ['a', 'b "quoted" \\ ü ✓', 'c'];
    for (const name of names) await cloud.create({}, name);
    // More digits than SQLite writes by itself.
    await cloud.db
      .updateTable('jobs')
      .set({ loss: 0.12345679104328156, eval_loss: 1 / 3, best_loss: 1e-20 / 3, reward: -1 })
      .where('name', '=', 'a')
      .execute();
    const config = { model: MODEL, datasetSource: { type: 'huggingface', name: 'x' } };
    await cloud.call('POST', '/v1/jobs?orgSlug=org-a&projectSlug=two', { name: 'other', config });
    const jobs = await cloud.list();
    expect(jobs.map(({ name }) => name)).toEqual(names.toReversed());
    for (const job of jobs) {
      expect(jobSummary.parse(job)).toEqual(job);
      const { config, customSettings, fileNames, scores, task: _, ...rest } = await cloud.ask(job.id);
      expect([job, config?.model, customSettings, fileNames, scores]).toEqual([rest, MODEL, [], {}, []]);
    }
  });

  it('changes its tag with each change, and tells those who have the one before what has changed', async () => {
    let known = await look();
    expect(known.jobs).toEqual([]);
    const check = async (what: () => Promise<unknown>) => {
      for (const same of [known.tag, `W/"other", W/${known.tag}`]) expect((await ask(same)).status).toBe(304);
      await what();
      const { changes, now } = await changesSince(known);
      expect(now.jobs).toEqual((await look()).jobs);
      expect([(await ask(known.tag, {})).status, now.tag === known.tag]).toEqual([200, false]);
      known = now;
      return changes;
    };
    expect((await check(() => cloud.create({}, 'a'))).added).toHaveLength(1);
    await check(async () => {
      for (const name of ['b', 'c']) await cloud.create({}, name);
    });
    expect(known.jobs.map(({ name }) => name)).toEqual(['c', 'b', 'a']);
    const [newest, middle, first] = known.jobs.map(({ id }) => id) as [string, string, string];
    const changes = await check(() => cloud.json('PATCH', `/v1/jobs/${middle}`, { note: 'why' }));
    expect(changes).toMatchObject({ added: [], changed: [{ id: middle, note: 'why' }], removed: [] });
    await check(async () => {
      await cloud.jobs.start();
      await cloud.until(first, 'running');
    });
    const run = await cloud.runner.next();
    await check(async () => {
      run.log(1);
      await cloud.untilStep(first, 1);
    });
    await check(async () => {
      for (const one of [newest, middle]) await cloud.cancel(one);
    });
    const removed = await check(() => cloud.json('DELETE', `/v1/jobs/${middle}`));
    expect(removed).toMatchObject({ removed: [middle] });
    expect((await ask(known.tag)).status).toBe(304);
  });

  it('says what queued jobs wait for once that changes for all of them', async () => {
    const { id } = await cloud.create({}, 'first');
    await cloud.create({}, 'second');
    const before = await look();
    expect(before.jobs.map(({ waitingFor }) => waitingFor)).toEqual([null, null]);
    await cloud.jobs.start();
    await cloud.until(id, 'running');
    queries = [];
    const { now } = await changesSince(before);
    expectKeysOnly();
    expect(now.jobs).toEqual((await look()).jobs);
    expect(now.jobs[0]!.waitingFor).not.toBeNull();
  });

  it('is whole after a restart, and for a tag that it never had', async () => {
    const { id } = await cloud.create();
    const { tag } = await look();
    await cloud.restart();
    expect([(await ask(tag)).status, (await ask(tag, {})).status]).toEqual([200, 200]);
    await cloud.json('PATCH', `/v1/jobs/${id}`, { note: 'x' });
    expect((await ask('"nonsense"')).status).toBe(200);
  });

  it('has 10,000 jobs in order, and a poll reads and sends no more than with 100', async () => {
    await cloud.cancel((await cloud.create()).id);
    const costs: { rows: number; bytes: number }[] = [];
    for (const [count, firstNumber] of [
      [100, 2],
      [9900, 1000],
    ] as const) {
      await addEnded(count, firstNumber);
      const { id } = await cloud.create({}, 'the one that goes on');
      const known = await look();
      await cloud.json('PATCH', `/v1/jobs/${id}`, { note: 'changed' });
      [queries, rows] = [[], 0];
      const { changes, bytes } = await changesSince(known);
      expect(changes).toMatchObject({ added: [], changed: [{ id }], removed: [] });
      costs.push({ rows, bytes });
      expectKeysOnly();
    }
    expect(costs[1]).toEqual(costs[0]);
    expect(costs[0]!.rows).toBeLessThan(5);
    const numbered = (count: number, last: number) =>
      Array.from({ length: count }, (_, index) => `job ${last - index}`);
    const one = 'the one that goes on';
    const names = (await look()).jobs.map(({ name }) => name);
    expect(names).toEqual([one, ...numbered(9900, 10_899), one, ...numbered(100, 101), 'a job']);
  });
});

it('a single job answers 404 to other projects', async () => {
  const { id } = await cloud.create();
  for (const scope of ['?orgSlug=org-b&projectSlug=one', '?orgSlug=org-a&projectSlug=two'])
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
      const refused = await cloud.refusal(method, `/v1/jobs/${id}${path}${scope}`, body);
      expect(refused).toMatchObject({ status: 404, code: 'job_not_found' });
    }
  expect(await cloud.until(id, 'queued')).toMatchObject({ name: 'a job' });
});
