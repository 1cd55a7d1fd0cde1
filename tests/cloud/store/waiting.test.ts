// How long a database waits, for other processes and for a quiet moment, in virtual time.
import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWatchedStore, type Store } from '../../../lib/cloud/store/db.js';
import { FULL, LOCKED, StorageFault } from '../../../lib/cloud/store/storage-fault.js';
import { passUntil } from '../../support/pass-until.js';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.js';
import { lockHere, openHere } from './open-here.js';
import { sampleOrgs } from './sample-orgs.js';

let folder: string;
let file: string;
let clock: VirtualClock;
let store: Store;
/** What was reported, in order. */
let reports: (string | null)[];
const open = () => {
  const health = { report: (_: string, problem: string | null) => void reports.push(problem) };
  return openWatchedStore(file, health, clock, { open: openHere(clock) });
};
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-store-'));
  file = join(folder, 'cloud.db');
  clock = createVirtualClock();
  reports = [];
  store = await open();
  reports.length = 0;
});
afterEach(async () => {
  await passUntil(clock, store.close(), 8);
  await rm(folder, { recursive: true });
});

const { add, names, limitPages, fill } = sampleOrgs(() => store);
const logBytes = () => statSync(`${file}-wal`).size;
/** What has become of a promise; it is not waited for. */
function follow(promise: Promise<unknown>) {
  const followed: { outcome: unknown } = { outcome: 'waits' };
  const become = (outcome: unknown) => {
    followed.outcome = outcome;
  };
  promise.then(() => become('done'), become);
  return followed;
}

describe('a write while another process has locked the database', () => {
  it('is reported after a second, and refused after five', async () => {
    const unlock = lockHere(file);
    const writes = [
      add('a'),
      store.db.transaction().execute(transaction => add('b', transaction)),
      store.db.deleteFrom('orgs').returning('id').execute(),
    ].map(follow);
    await clock.pass(1000);
    expect(reports).toEqual([]);
    await clock.pass(1);
    expect(reports).toEqual([LOCKED]);
    await clock.pass(3999);
    expect(writes[0]!.outcome).toBe('waits');
    await clock.pass(1);
    const refusal = { status: 503, code: 'storage_unavailable', headers: { 'retry-after': '2' } };
    // Those that came at the same time have waited as long.
    for (const { outcome } of writes) {
      expect(outcome).toBeInstanceOf(StorageFault);
      expect(outcome).toMatchObject(refusal);
    }
    unlock();
    await store.db.transaction().execute(async transaction => {
      await add('c', transaction);
      await add('d', transaction);
    });
    expect(await names()).toEqual(['c', 'd']);
  });

  it('goes on within 40 ms once the lock is released, and reads go on all the time', async () => {
    const unlock = lockHere(file);
    const write = follow(add('a'));
    await clock.pass(1990);
    expect(await names()).toEqual([]);
    unlock();
    await clock.pass(9);
    expect(write.outcome).toBe('waits');
    await clock.pass(1);
    expect([write.outcome, await names()]).toEqual(['done', ['a']]);
  });
});

describe('a database that does not work', () => {
  it('is tried every second until it does, though nobody writes', async () => {
    const unlock = lockHere(file);
    const write = follow(add('a'));
    await clock.pass(5001);
    expect(write.outcome).toBeInstanceOf(StorageFault);
    await clock.pass(3600_000);
    expect([...new Set(reports)]).toEqual([LOCKED]);
    unlock();
    await clock.pass(6000);
    expect(reports.at(-1)).toBeNull();
    // All that is left is the moment in which its log is moved into it.
    await clock.pass(3600_000);
    expect(clock.waiting).toBe(0);
  });

  it('is not tried anymore once it is closed', async () => {
    await limitPages(1);
    reports.length = 0;
    const write = follow(fill());
    await clock.pass(0);
    expect([write.outcome, reports]).toEqual([expect.any(StorageFault), [FULL]]);
    expect(clock.nextMs).toBe(1000);
    await store.close();
    expect(clock.waiting).toBe(0);
    store = await open();
  });
});

it('the write-ahead log is moved into the database two seconds after the last write', async () => {
  await add('a');
  await clock.pass(1999);
  await add('b');
  await clock.pass(1999);
  expect(logBytes()).toBeGreaterThan(0);
  await clock.pass(1);
  expect(logBytes()).toBe(0);
  expect(await names()).toEqual(['a', 'b']);
});
