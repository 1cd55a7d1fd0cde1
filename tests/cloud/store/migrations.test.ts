// Data of an older version is still there after an update.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import Database from 'libsql';
import { expect, it, onTestFinished } from 'vitest';
import { readOffer } from '../../../lib/cloud/deployments/offer.js';
import { type Db, openDb } from '../../../lib/cloud/store/db.js';
import { migrate } from '../../../lib/cloud/store/migrate.js';
import { migrations } from '../../../lib/cloud/store/migrations.js';

const AT = '2026-01-01T00:00:00.000Z';

/** The database that this many migrations made, with a project and these rows, after an update. */
async function updatedFrom(version: number, statements: readonly string[]): Promise<Db> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'cloud.db');
  const former = new Database(file);
  for (const statement of migrations.slice(0, version).flat()) former.exec(statement);
  former.exec(`PRAGMA user_version = ${version}`);
  former.exec(`INSERT INTO orgs VALUES ('o', 'alpha', 'Alpha', '${AT}')`);
  former.exec(`INSERT INTO projects VALUES ('p', 'o', 'one', 'One', '${AT}')`);
  for (const statement of statements) former.exec(statement);
  former.close();
  const db = await openDb(file);
  onTestFinished(() => db.destroy());
  return db;
}

const job = (id: string, number: number, config: object = {}, status = 'completed') =>
  `INSERT INTO jobs (id, number, org_id, project_id, name, status, config, created_at)
    VALUES ('${id}', ${number}, 'o', 'p', 'triage', '${status}', '${JSON.stringify(config)}', '${AT}')`;
const event = (jobId: string, seq: number, type: string, payload: object) =>
  `INSERT INTO events VALUES ('${jobId}', ${seq}, '${type}', '${JSON.stringify(payload)}', '${AT}')`;

it('data sets and jobs stay when projects get files', async () => {
  const db = await updatedFrom(5, [
    `INSERT INTO datasets VALUES ('s', 'o', 'digest', 'rows.jsonl', 5, 1, 'jsonl', '${AT}', 0)`,
    job('j', 1),
    "INSERT INTO job_datasets VALUES ('j', 's')",
  ]);
  const own = { id: 'file-1', number: 1, project_id: 'p', dataset_id: 's', name: 'a', created_at: AT };
  await db.insertInto('files').values(own).execute();
  const tuning = { job_id: 'j', training_file: 'file-1', validation_file: null, metadata: '{}' };
  await db.insertInto('fine_tunings').values(tuning).execute();
  await expect(db.deleteFrom('datasets').execute()).rejects.toThrow('FOREIGN KEY');
  expect(await db.selectFrom('jobs').select(['status', 'paused_at']).execute()).toEqual([
    { status: 'completed', paused_at: null },
  ]);
  await db.deleteFrom('files').execute();
  await db.deleteFrom('jobs').execute();
  expect(await db.selectFrom('fine_tunings').selectAll().execute()).toEqual([]);
  expect(await db.deleteFrom('datasets').returning('id').execute()).toEqual([{ id: 's' }]);
});

it('keys of endpoints stay when projects get keys of their own', async () => {
  const db = await updatedFrom(4, [
    "INSERT INTO slugs VALUES ('demo', 'o')",
    `INSERT INTO deployments VALUES
      ('d', 1, 'o', 'p', 'demo', 'base_model', NULL, NULL, 'm', 'fixed_api_key', 1, 'days', 30, '${AT}', '${AT}')`,
    `INSERT INTO keys VALUES ('k', 'd', 1, 'ci', 'svc_live_abc', 'hash', 1, '${AT}', NULL)`,
  ]);
  const ours = {
    label: 'ci',
    prefix: 'svc_live_abc',
    enabled: 1 as const,
    created_at: AT,
    last_used_at: null,
  };
  expect(await db.selectFrom('keys').selectAll().execute()).toEqual([
    { id: 'k', number: 1, deployment_id: 'd', project_id: null, hash: 'hash', ...ours },
  ]);
  await db.deleteFrom('deployments').where('id', '=', 'd').execute();
  expect(await db.selectFrom('keys').select('id').execute()).toEqual([]);
  const nobodys = {
    id: 'n',
    number: 2,
    deployment_id: null,
    project_id: null,
    hash: 'other',
    ...ours,
  } as const;
  await expect(db.insertInto('keys').values(nobodys).execute()).rejects.toThrow('CHECK');
});

it('endpoints offer chat alone, to no web page, as they did when nothing could be added', async () => {
  const db = await updatedFrom(5, [
    "INSERT INTO slugs VALUES ('demo', 'o')",
    `INSERT INTO deployments VALUES
      ('d', 1, 'o', 'p', 'demo', 'base_model', NULL, NULL, 'm', 'none', 1, 'days', 30, '${AT}', '${AT}')`,
  ]);
  const row = await db.selectFrom('deployments').selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ id: 'd', retention_days: 30, updated_at: AT });
  expect(readOffer(row)).toEqual({ operations: ['chat'], corsOrigins: [] });
});

it('a score is recorded once, also in a log that was there before scores', async () => {
  const db = await updatedFrom(12, [
    job('j', 1, {}, 'running'),
    event('j', 1, 'checkpoint.saved', { step: 5 }),
    event('j', 2, 'checkpoint.saved', { step: 5 }),
  ]);
  const score = (seq: number, step: number, name = 'tone') => {
    const payload = JSON.stringify({ step, name, value: seq });
    return db
      .insertInto('events')
      .values({ job_id: 'j', seq, type: 'score.recorded', payload, at: AT })
      .execute();
  };
  await score(3, 5);
  await score(4, 10);
  await score(5, 5, 'other');
  await expect(score(6, 5)).rejects.toThrow('UNIQUE');
});

it('jobs keep the evaluation rows that they began with', async () => {
  const db = await updatedFrom(8, [
    job('a', 1, { model: 'm', evalFraction: 0.2 }),
    job('b', 2, { model: 'm' }),
    job('c', 3, { model: 'm', evalFraction: 0 }),
  ]);
  const jobs = await db.selectFrom('jobs').select('config').orderBy('id').execute();
  expect(jobs.map(({ config }) => JSON.parse(config))).toEqual([
    { model: 'm', evalFraction: 0.2, evalSplit: 'position' },
    { model: 'm' },
    { model: 'm', evalFraction: 0 },
  ]);
});

it('jobs get the losses that were only in their events, and the names of their trainers', async () => {
  const log = (seq: number, fields: object) => event('j', seq, 'training.log', { step: seq, ...fields });
  const db = await updatedFrom(12, [
    job('j', 0),
    job('k', 1),
    log(1, { loss: 2 }),
    log(2, { loss: 0.5, evalLoss: 0.625 }),
    log(3, { loss: 1, evalLoss: 0.75 }),
    log(4, { evalLoss: null }),
  ]);
  const columns = ['trainer', 'tags', 'loss', 'eval_loss', 'lowest_loss', 'lowest_eval_loss'] as const;
  expect(await db.selectFrom('jobs').select(columns).orderBy('number').execute()).toEqual([
    { trainer: 'triage', tags: null, loss: 1, eval_loss: 0.75, lowest_loss: 0.5, lowest_eval_loss: 0.625 },
    { trainer: 'triage', tags: null, loss: null, eval_loss: null, lowest_loss: null, lowest_eval_loss: null },
  ]);
});

it('jobs get the best of the scores that were only in their events', async () => {
  const score = (id: string, step: number, name: string, value: number) =>
    event(id, step, 'score.recorded', { step, name, value });
  const db = await updatedFrom(14, [
    job('a', 1, { bestBy: { score: 'exact' } }),
    job('b', 2, { bestBy: { score: 'errors', higher: false } }),
    job('c', 3, {}),
    job('d', 4, { bestBy: { score: 'exact' } }),
    ...['a', 'b', 'c'].flatMap(id => [score(id, 1, 'exact', 0.25), score(id, 2, 'exact', 0.5)]),
    score('b', 3, 'errors', 3),
    score('b', 4, 'errors', 7),
  ]);
  const jobs = await db.selectFrom('jobs').select('best_score').orderBy('number').execute();
  expect(jobs.map(({ best_score }) => JSON.parse(best_score ?? 'null'))).toEqual([
    { name: 'exact', value: 0.5, higher: true },
    { name: 'errors', value: 3, higher: false },
    null,
    null,
  ]);
});

it('an update that breaks off leaves the data as it was', async () => {
  const db = await openDb(':memory:');
  onTestFinished(() => db.destroy());
  const more = ['CREATE TABLE more (a)'];
  await expect(migrate(db, [...migrations, more, ['nonsense']])).rejects.toThrow('syntax error');
  const { rows } = await db.executeQuery(CompiledQuery.raw('PRAGMA user_version'));
  expect(rows).toEqual([{ user_version: migrations.length }]);
  await migrate(db, [...migrations, more]);
});
