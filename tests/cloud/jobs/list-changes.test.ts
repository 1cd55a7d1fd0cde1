// What a poll of the list costs: only what has changed, however many jobs there are. Counted in rows and bytes, not in time.
import { join } from 'node:path';
import type { KyselyPlugin, RootOperationNode } from 'kysely';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '../../../lib/cloud/store/db.js';
import type { Tables } from '../../../lib/cloud/store/tables.js';
import {
  applyJobChanges,
  CHANGES_WANTED,
  type Job,
  type JobListChanges,
  type JobSummary,
  jobListChanges,
} from '../../../lib/contract/index.js';
import { createScriptedRunner, type ScriptedRunner } from './scripted-runner.js';
import { openTestJobs, type TestJobs } from './test-jobs.js';

let runner: ScriptedRunner;
let cloud: TestJobs;
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

beforeEach(async () => {
  runner = createScriptedRunner();
  [queries, rows] = [[], 0];
  cloud = await openTestJobs(runner, { wrapDb: (db): Db => db.withPlugin(watch) });
});
afterEach(() => cloud.close());

interface Look {
  jobs: JobSummary[];
  tag: string;
}

const ask = (tag: string | null) =>
  cloud.call('GET', '/v1/jobs', undefined, tag === null ? {} : { 'if-none-match': tag, ...CHANGES_WANTED });

async function look(): Promise<Look> {
  const response = await ask(null);
  return { jobs: ((await response.json()) as Look).jobs, tag: response.headers.get('etag')! };
}

/** The changes since a look, and what they led to. */
async function changesSince({
  jobs,
  tag,
}: Look): Promise<{ changes: JobListChanges; now: Look; bytes: number }> {
  const response = await ask(tag);
  expect([response.status, response.headers.get('im')]).toEqual([226, 'jobs']);
  const text = await response.text();
  const changes = jobListChanges.parse(JSON.parse(text)) as JobListChanges;
  const after = applyJobChanges(jobs, changes) as JobSummary[];
  return {
    changes,
    now: { jobs: after, tag: response.headers.get('etag')! },
    bytes: text.length,
  };
}

/** Jobs that have ended long ago. */
async function fill(count: number): Promise<void> {
  const { id } = await cloud.create();
  await cloud.json('POST', `/v1/jobs/${id}/cancel`);
  const template = await cloud.db.selectFrom('jobs').selectAll().executeTakeFirstOrThrow();
  await insertCopies(template, count, 0, 2);
}

/** They differ in their IDs and numbers alone. */
async function insertCopies(
  template: Tables['jobs'],
  count: number,
  series: number,
  firstNumber: number,
): Promise<void> {
  const all = Array.from({ length: count }, (_, index) => ({
    ...template,
    id: `${series}0000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    number: index + firstNumber,
  }));
  for (let from = 0; from < count; from += 1000)
    await cloud.db
      .insertInto('jobs')
      .values(all.slice(from, from + 1000))
      .execute();
}

describe('a poll of the list', () => {
  it('leads to the same list as reading all of it, whatever happens', async () => {
    let known = await look();
    const check = async (what: () => Promise<unknown>) => {
      await what();
      const { changes, now } = await changesSince(known);
      expect(now.jobs).toEqual((await look()).jobs);
      known = now;
      return changes;
    };
    let first: Job | undefined;
    expect((await check(async () => (first = await cloud.create({}, 'a')))).added).toHaveLength(1);
    const id = first!.id;
    await check(async () => {
      for (const name of ['b', 'c']) await cloud.create({}, name);
    });
    const [newest, middle] = known.jobs.map(job => job.id) as [string, string];
    expect(known.jobs.map(({ name }) => name)).toEqual(['c', 'b', 'a']);
    const changes = await check(() => cloud.json('PATCH', `/v1/jobs/${middle}`, { note: 'why' }));
    expect(changes).toMatchObject({ added: [], changed: [{ id: middle, note: 'why' }], removed: [] });
    await check(async () => {
      await cloud.jobs.start();
      await cloud.until(id, 'running');
    });
    const run = await runner.next();
    await check(async () => {
      run.log(1);
      await cloud.untilStep(id, 1);
    });
    await check(async () => {
      for (const one of [newest, middle]) await cloud.json('POST', `/v1/jobs/${one}/cancel`);
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
    for (const plan of plansOf(queries)) expect(plan).not.toMatch(WHOLE_PROJECT);
    expect(now.jobs).toEqual((await look()).jobs);
    expect(now.jobs[0]!.waitingFor).not.toBeNull();
  });

  it('is whole after a restart, and for callers that take no changes', async () => {
    await cloud.create();
    const { tag } = await look();
    const { id } = await cloud.create();
    const plain = await cloud.call('GET', '/v1/jobs', undefined, { 'if-none-match': tag });
    expect(plain.status).toBe(200);
    cloud = await cloud.reopen(runner);
    expect((await ask(tag)).status).toBe(200);
    await cloud.json('PATCH', `/v1/jobs/${id}`, { note: 'x' });
    expect((await ask('"nonsense"')).status).toBe(200);
  });

  it('reads and sends no more with 10,000 jobs than with 100', async () => {
    const costs: { rows: number; bytes: number }[] = [];
    for (const count of [100, 9900]) {
      if (costs.length === 0) await fill(count);
      else await addMore(count);
      const { id } = await cloud.create({}, 'the one that goes on');
      const known = await look();
      await cloud.json('PATCH', `/v1/jobs/${id}`, { note: 'changed' });
      [queries, rows] = [[], 0];
      const { changes, bytes } = await changesSince(known);
      expect(changes).toMatchObject({ added: [], changed: [{ id }], removed: [] });
      costs.push({ rows, bytes });
      for (const plan of plansOf(queries)) {
        expect(plan).not.toMatch(WHOLE_PROJECT);
      }
    }
    expect(queries.length).toBeGreaterThan(0);
    const [few, many] = costs as [(typeof costs)[0], (typeof costs)[0]];
    expect(many).toEqual(few);
    expect(many.rows).toBeLessThan(5);
    expect((await look()).jobs.length).toBeGreaterThan(10_000);
  });
});

async function addMore(count: number): Promise<void> {
  const template = await cloud.db
    .selectFrom('jobs')
    .selectAll()
    .where('status', '=', 'cancelled')
    .limit(1)
    .executeTakeFirstOrThrow();
  await insertCopies(template, count, 1, 1000);
}

/** How the database finds the rows of each query. */
function plansOf(nodes: readonly RootOperationNode[]): string[] {
  const executor = cloud.db.getExecutor();
  const file = new Database(join(cloud.folder, 'cloud.db'), { readonly: true });
  try {
    return nodes.map(node => {
      const { sql, parameters } = executor.compileQuery(node, { queryId: 'plan' });
      const plan = file.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { detail: string }[];
      return plan.map(({ detail }) => detail).join('; ');
    });
  } finally {
    file.close();
  }
}
