// The tables of a cloud: what they refuse whoever writes, and how they change when svc is updated.
import { CompiledQuery } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { type Db, openDb } from '../../../lib/cloud/store/db.js';
import { migrate } from '../../../lib/cloud/store/migrate.js';
import { schema } from '../../../lib/cloud/store/schema.js';
import { OLDEST_TABLES, OLDEST_VERSION } from './oldest-tables.js';

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

it('an update that breaks off leaves the data as it was, and what another svc wrote is refused', async () => {
  const db = await openWith();
  const { version } = schema;
  const next = (...update: string[]) => ({
    ...schema,
    version: version + 1,
    updates: { [version + 1]: update },
  });
  const more = 'CREATE TABLE more (a)';
  await expect(migrate(db, next(more, 'nonsense'))).rejects.toThrow('syntax error');
  const { rows } = await db.executeQuery(CompiledQuery.raw('PRAGMA user_version'));
  expect(rows).toEqual([{ user_version: version }]);
  await migrate(db, next(more));
  await migrate(db, next(more));
  await expect(migrate(db, schema)).rejects.toThrow('written by a newer version of svc');
  await expect(migrate(db, { ...schema, version: version + 2 })).rejects.toThrow(
    'by an early version of svc',
  );
  expect(await db.selectFrom('jobs').select('name').execute()).toEqual([{ name: 'triage' }]);
});

it('an update fills in the rewards of runs that learned from them', async () => {
  const db = await openWith(
    `UPDATE jobs SET config = '{"method":{"type":"grpo"}}'`,
    ...[
      [1, 0.75, 0.5],
      [2, 0.25, 0.625],
      [3, 0.5, 'NULL'],
    ].map(
      ([step, reward, evalReward]) =>
        `INSERT INTO steps (job_id, seq, at, step, reward, evalReward)
          VALUES ('j', ${step}, 0, ${step}, ${reward}, ${evalReward})`,
    ),
    ...['reward', 'eval_reward', 'best_reward', 'best_eval_reward'].map(
      name => `ALTER TABLE jobs DROP COLUMN ${name}`,
    ),
    'PRAGMA user_version = 13',
  );
  await migrate(db, schema);
  const rewards = ['reward', 'eval_reward', 'best_reward', 'best_eval_reward'] as const;
  expect(await db.selectFrom('jobs').select(rewards).execute()).toEqual([
    { reward: 0.5, eval_reward: 0.625, best_reward: 0.75, best_eval_reward: 0.625 },
  ]);
});

it('an update makes the tables that a new file gets', async () => {
  const db = await openWith();
  const run = (statement: string) => db.executeQuery<{ name: string }>(CompiledQuery.raw(statement));
  const namesOf = async (query: string) => (await run(query)).rows.map(({ name }) => name);
  const tables = () => namesOf("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid DESC");
  const columnsOf = (table: string) => namesOf(`SELECT name FROM pragma_table_info('${table}')`);
  const everything = async () => {
    const columns = (await tables()).map(async table => [table, (await columnsOf(table)).toSorted()]);
    const indexes = await namesOf("SELECT name FROM sqlite_master WHERE type = 'index' ORDER BY name");
    return { indexes, columns: Object.fromEntries(await Promise.all(columns)) };
  };
  const fresh = await everything();
  // Later columns have indexes, too.
  await run('DROP INDEX jobs_by_origin');
  for (const table of await tables()) {
    const oldest = OLDEST_TABLES[table]?.split(' ');
    if (!oldest) await run(`DROP TABLE ${table}`);
    for (const column of oldest ? await columnsOf(table) : [])
      if (!oldest!.includes(column)) await run(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  }
  await run(`PRAGMA user_version = ${OLDEST_VERSION}`);
  await migrate(db, schema);
  expect(await everything()).toEqual(fresh);
});
