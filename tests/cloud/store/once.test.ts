// Requests repeated with the same Idempotency-Key: nothing is created twice, and the response is the same.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Db, openDb } from '../../../lib/cloud/store/db.js';
import { type Asked, forgetOld, forgetRequest, once } from '../../../lib/cloud/store/once.js';

let folder: string;
let db: Db;
let made: number;
const now = new Date('2026-03-01T10:00:00.000Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const DAY_MS = 24 * 60 * 60 * 1000;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-once-'));
  db = await openDb(join(folder, 'cloud.db'));
  made = 0;
});
afterEach(async () => {
  await db.destroy();
  await rm(folder, { recursive: true });
});

const asked: Asked = { key: 'k', caller: 'ann', request: ['make', { name: 'a' }] };
const make = (what: Partial<Asked> = {}, at = now) =>
  once({ db, now: at }, { ...asked, ...what }, { create: async () => ({ number: ++made }) });

describe('a request with an Idempotency-Key', () => {
  it('runs once and returns the same answer', async () => {
    expect(await make()).toEqual({ answer: { number: 1 }, isNew: true });
    expect(await make()).toEqual({ answer: { number: 1 }, isNew: false });
  });

  it('runs once when it is sent many times at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => make()));
    expect(new Set(answers.map(({ answer }) => answer.number))).toEqual(new Set([1]));
  });

  it('is remembered after a restart', async () => {
    await make();
    await db.destroy();
    db = await openDb(join(folder, 'cloud.db'));
    expect(await make()).toMatchObject({ answer: { number: 1 }, isNew: false });
  });

  it.each([
    ['another key', { key: 'other' }],
    ['another caller', { caller: 'bob' }],
    ['no key', { key: null }],
  ])('counts as a new request with %s', async (_, what) => {
    await make();
    expect(await make(what)).toMatchObject({ answer: { number: 2 }, isNew: true });
  });

  it('is refused when the key was used for another request', async () => {
    await make();
    await expect(make({ request: ['make', { name: 'b' }] })).rejects.toMatchObject({
      status: 409,
      code: 'idempotency_mismatch',
    });
    expect(made).toBe(1);
  });

  it('can be sent again after it failed', async () => {
    const fail = once({ db, now }, asked, { create: () => Promise.reject(new Error('no')) });
    await expect(fail).rejects.toThrow('no');
    expect(await make()).toMatchObject({ isNew: true });
  });

  it('can be withdrawn only with its latest answer', async () => {
    const withdraw = (noted: unknown) =>
      db.transaction().execute(transaction => forgetRequest(transaction, asked, noted));
    const { answer } = await make();
    await withdraw({ number: 0 });
    expect(await make()).toMatchObject({ answer, isNew: false });
    await withdraw(answer);
    expect(await make()).toMatchObject({ answer: { number: 2 }, isNew: true });
  });

  it('is forgotten after 24 hours', async () => {
    await make();
    expect(await make({}, later(DAY_MS - 1))).toMatchObject({ isNew: false });
    expect(await make({}, later(DAY_MS))).toMatchObject({ isNew: true });
  });

  it('is removed from the database after 24 hours', async () => {
    await make();
    const notes = () => db.selectFrom('idempotency_keys').selectAll().execute();
    await forgetOld(db, later(DAY_MS - 1));
    expect(await notes()).toHaveLength(1);
    await forgetOld(db, later(DAY_MS));
    expect(await notes()).toEqual([]);
  });
});
