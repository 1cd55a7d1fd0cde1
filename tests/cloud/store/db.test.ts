// The database in its own thread, while other processes lock it and when the disk is full.
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyDb, openDb, openStore, type Store } from '../../../lib/cloud/store/db.js';
import { type ForeignWriter, lockForeign } from './foreign-writer.js';
import { sampleOrgs } from './sample-orgs.js';

let folder: string;
let file: string;
let store: Store;
let writer: ForeignWriter | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-store-'));
  file = join(folder, 'cloud.db');
  store = await openStore(file);
});
afterEach(async () => {
  await writer?.stop();
  await store.close();
  await rm(folder, { recursive: true });
});

const { add, names, limitPages, fill } = sampleOrgs(() => store);

describe('a database that another process has locked', () => {
  it('can be read by the calling thread meanwhile, and is written once unlocked', async () => {
    writer = await lockForeign(file, 3_600_000);
    const added = add('a');
    expect(await names()).toEqual([]);
    await writer.stop();
    await added;
    expect(await names()).toEqual(['a']);
  });

  it('is written between repeated locks', async () => {
    writer = await lockForeign(file, 5, 100_000);
    await store.close();
    store = await openStore(file);
    for (const id of ['a', 'b', 'c', 'd']) await add(id);
    expect(await names()).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('transactions', () => {
  it('run one after the other and see earlier writes', async () => {
    const ids = Array.from({ length: 20 }, (_, i) => `org-${i}`);
    const addAndCount = (id: string) =>
      store.db.transaction().execute(async transaction => {
        await add(id, transaction);
        return (await transaction.selectFrom('orgs').select('id').execute()).length;
      });
    expect(await Promise.all(ids.map(addAndCount))).toEqual(ids.map((_, i) => i + 1));
  });

  it('are rolled back when they throw, and do not block the next one', async () => {
    const failing = store.db.transaction().execute(async transaction => {
      await add('a', transaction);
      throw new Error('given up');
    });
    await expect(failing).rejects.toThrow('given up');
    await expect(add('b').then(() => add('b'))).rejects.toMatchObject({ code: /^SQLITE_CONSTRAINT/ });
    expect(await names()).toEqual(['b']);
  });

  it('are rolled back when the disk fills up', async () => {
    await add('before');
    await limitPages(1);
    await expect(fill()).rejects.toThrow("The cloud's disk is full.");
    expect(await names()).toEqual(['before']);
    await limitPages(1_000_000);
    await add('later');
    expect(await names()).toEqual(['before', 'later']);
  });
});

it('a boolean is an error, not the end of the process', async () => {
  await expect(sql`SELECT ${true}`.execute(store.db)).rejects.toThrow('SQLite has no booleans.');
  expect((await sql`SELECT ${1} AS one`.execute(store.db)).rows).toEqual([{ one: 1 }]);
});

describe('the write-ahead log', () => {
  const logBytes = () => (existsSync(`${file}-wal`) ? statSync(`${file}-wal`).size : 0);

  it('is checkpointed when the database is closed', async () => {
    await add('a');
    expect(logBytes()).toBeGreaterThan(0);
    await store.close();
    expect(logBytes()).toBe(0);
    store = await openStore(file);
    expect(await names()).toEqual(['a']);
  });

  it('is included in a copy, which is a single file', async () => {
    await add('a');
    const to = join(folder, 'copy.db');
    await copyDb(file, to);
    await add('b');
    expect(existsSync(`${to}-wal`)).toBe(false);
    const copy = await openDb(to);
    expect(await copy.selectFrom('orgs').select('id').execute()).toEqual([{ id: 'a' }]);
    await copy.destroy();
  });
});
