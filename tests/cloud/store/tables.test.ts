// The tables of a cloud: what they refuse whoever writes, and which files are refused.
import { createHash } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { type Db, openDb } from '../../../lib/cloud/store/db.js';
import { createTables, SCHEMA } from '../../../lib/cloud/store/schema.js';

const AT = '2026-01-01T00:00:00.000Z';

/** With these rows of a project. */
async function openWith(...statements: string[]): Promise<Db> {
  const db = await openDb(':memory:');
  onTestFinished(() => db.destroy());
  const project = [
    `INSERT INTO orgs VALUES ('o', 'alpha', 'Alpha', '${AT}')`,
    `INSERT INTO projects VALUES ('p', 'o', 'one', 'One', '${AT}')`,
    `INSERT INTO jobs (id, number, org_id, project_id, name, status, config, created_at)
      VALUES ('j', 1, 'o', 'p', 'triage', 'running', '{}', '${AT}')`,
  ];
  for (const statement of [...project, ...statements]) await db.executeQuery(CompiledQuery.raw(statement));
  return db;
}

it('a data set stays while a job or a file has it', async () => {
  const db = await openWith(
    `INSERT INTO datasets VALUES ('s', 'o', 'digest', 'rows.jsonl', 5, 1, 'jsonl', '${AT}', 0)`,
    "INSERT INTO job_datasets VALUES ('j', 's')",
    `INSERT INTO files VALUES ('file-1', 1, 'p', 's', 'a', '${AT}', 'fine-tune', NULL)`,
    "INSERT INTO fine_tunings VALUES ('j', 'file-1', NULL, '{}')",
  );
  for (const user of ['files', 'jobs'] as const) {
    await expect(db.deleteFrom('datasets').execute()).rejects.toThrow('FOREIGN KEY');
    await db.deleteFrom(user).execute();
  }
  expect(await db.selectFrom('fine_tunings').selectAll().execute()).toEqual([]);
  expect(await db.deleteFrom('datasets').returning('id').execute()).toEqual([{ id: 's' }]);
});

it('a key belongs to either an endpoint or a project', async () => {
  const db = await openWith();
  const key = { number: 2, label: 'ci', prefix: 'svc_live_abc', enabled: 1, created_at: AT } as const;
  const add = (id: string, deployment_id: string | null, project_id: string | null) =>
    db
      .insertInto('keys')
      .values({ ...key, id, hash: id, deployment_id, project_id, last_used_at: null })
      .execute();
  await expect(add('of-nobody', null, null)).rejects.toThrow('CHECK');
  await expect(add('of-both', 'd', 'p')).rejects.toThrow('CHECK');
  await add('of-project', null, 'p');
});

it('a score of a step is recorded once, and other events as often as they come', async () => {
  const db = await openWith();
  const record = (seq: number, type: 'score.recorded' | 'checkpoint.saved', step: number, name = 'tone') =>
    db
      .insertInto('events')
      .values({ job_id: 'j', seq, type, payload: JSON.stringify({ step, name, value: seq }), at: AT })
      .execute();
  await record(1, 'checkpoint.saved', 5);
  await record(2, 'checkpoint.saved', 5);
  await record(3, 'score.recorded', 5);
  await record(4, 'score.recorded', 10);
  await record(5, 'score.recorded', 5, 'other');
  await expect(record(6, 'score.recorded', 5)).rejects.toThrow('UNIQUE');
});

it('tables that could not all be created leave the file empty', async () => {
  const db = await openWith();
  await db.executeQuery(CompiledQuery.raw('PRAGMA user_version = 0'));
  const create = ['CREATE TABLE more (a)', 'nonsense'];
  await expect(createTables(db, { version: 1, create })).rejects.toThrow('syntax error');
  await createTables(db, { version: 1, create: create.slice(0, 1) });
  const { rows } = await db.executeQuery(CompiledQuery.raw('PRAGMA user_version'));
  expect(rows).toEqual([{ user_version: 1 }]);
});

it.each([-1, 1])('a database whose tables are of another version is refused: %i', async difference => {
  const db = await openWith();
  const { version } = SCHEMA;
  const found = version + difference;
  await createTables(db, SCHEMA);
  await db.executeQuery(CompiledQuery.raw(`PRAGMA user_version = ${found}`));
  await expect(createTables(db, SCHEMA)).rejects.toThrow(
    `The cloud's data was written by another version of svc (its tables are version ${found}; this svc needs version ${version}). Use that svc, or move the data folder away and start the cloud again.`,
  );
  expect(await db.selectFrom('jobs').select('name').execute()).toEqual([{ name: 'triage' }]);
});

it('tables that change get a new version', () => {
  const tables = createHash('sha256').update(SCHEMA.create.join(';')).digest('hex');
  expect(`version ${SCHEMA.version}: ${tables}`, 'If it is right, write it here').toBe(
    'version 14: c133563c48ea95234ff73168a912768bf5445f0352548e68cc1a222ee667b555',
  );
});
