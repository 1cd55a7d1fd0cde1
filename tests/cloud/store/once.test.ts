// Requests repeated with the same Idempotency-Key: nothing is created twice, and the response is the same.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Db, openDb } from '../../../lib/cloud/store/db.js';
import { forgetOld, forgetRequest, type IdempotentRequest, once } from '../../../lib/cloud/store/once.js';

let db: Db;
let made: number;
const now = new Date('2026-03-01T10:00:00.000Z');
const later = (ms: number) => new Date(now.getTime() + ms);
const DAY_MS = 24 * 60 * 60 * 1000;
beforeEach(async () => {
  db = await openDb(':memory:');
  made = 0;
});
afterEach(() => db.destroy());

const asked: IdempotentRequest = { key: 'k', caller: 'ann', request: ['make', { name: 'a' }] };
const make = (what: Partial<IdempotentRequest> = {}, at = now) =>
  once({ db, now: at }, { ...asked, ...what }, { create: async () => ({ number: ++made }) });

describe('a request with an Idempotency-Key', () => {
  it('runs once and returns the same answer, also when it is sent many times at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => make()));
    expect(answers.map(({ answer }) => answer.number)).toEqual(answers.map(() => 1));
    expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await make()).toEqual({ answer: { number: 1 }, isNew: false });
  });

  it.each([
    ['another key', { key: 'other' }],
    ['another caller', { caller: 'bob' }],
    ['no key', { key: null }],
  ])('counts as a new request with %s', async (_, what) => {
    await make();
    expect(await make(what)).toEqual({ answer: { number: 2 }, isNew: true });
  });

  it('is refused when the key was used for another request', async () => {
    await make();
    const refusal = { status: 409, code: 'idempotency_mismatch' };
    await expect(make({ request: ['make', { name: 'b' }] })).rejects.toMatchObject(refusal);
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

  it('is forgotten after 24 hours, and removed from the database', async () => {
    await make();
    const notes = async () => (await db.selectFrom('idempotency_keys').selectAll().execute()).length;
    await forgetOld(db, later(DAY_MS - 1));
    expect([await notes(), await make({}, later(DAY_MS - 1))]).toMatchObject([1, { isNew: false }]);
    expect(await make({}, later(DAY_MS))).toMatchObject({ isNew: true });
    await forgetOld(db, later(2 * DAY_MS));
    expect(await notes()).toBe(0);
  });
});
