// Both clocks keep the same promises; the virtual one to the millisecond.
import { describe, expect, it } from 'vitest';
import { createPoll, realClock, within } from '../../lib/clock/index.js';
import { createHastyClock } from '../support/hasty-clock.js';
import { createVirtualClock } from '../support/virtual-clock.js';

const virtual = createVirtualClock();

describe.each([
  ['the real clock', realClock, () => new Promise(resolve => setTimeout(resolve, 100))],
  ['the virtual clock', virtual, () => virtual.pass(100)],
])('%s', (_, clock, pass) => {
  it('acts once later, and again and again', async () => {
    const seen: string[] = [];
    clock.after(20, () => seen.push('once'));
    const often = clock.every(5, () => seen.push('often'));
    const countOf = (what: string) => seen.filter(other => other === what).length;
    // The real clock is as late as its process.
    while (countOf('once') < 1 || countOf('often') < 3) await pass();
    often.stop();
    expect(countOf('once')).toBe(1);
  });

  it('does nothing after a timer was stopped', async () => {
    const seen: string[] = [];
    clock.after(10, () => seen.push('after')).stop();
    clock.every(10, () => seen.push('every')).stop();
    await pass();
    expect(seen).toEqual([]);
  });

  it('sleeps until its time has come, or until it is woken by a signal', async () => {
    const stop = new AbortController();
    const slept = clock.sleep(20).then(() => 'slept');
    const woken = clock.sleep(60_000, stop.signal).catch((error: Error) => error.message);
    stop.abort(new Error('woken'));
    await pass();
    expect(await Promise.all([slept, woken])).toEqual(['slept', 'woken']);
    await expect(clock.sleep(1, stop.signal)).rejects.toThrow('woken');
  });

  it('aborts a signal with a TimeoutError', async () => {
    const signal = clock.deadline(20);
    expect(signal.aborted).toBe(false);
    await pass();
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
  });
});

describe('the real clock', () => {
  it.each([Number.POSITIVE_INFINITY, 2 ** 31, 30 * 86_400_000])(
    'waits where %d ms is more than timers can',
    async ms => {
      const seen: string[] = [];
      const stop = new AbortController();
      const timers = [
        realClock.after(ms, () => seen.push('after')),
        realClock.every(ms, () => seen.push('every')),
      ];
      const asleep = realClock.sleep(ms, stop.signal).catch(() => 'woken');
      const signal = realClock.deadline(ms);
      await realClock.sleep(50);
      for (const timer of timers) timer.stop();
      stop.abort();
      expect([seen, await asleep, signal.aborted]).toEqual([[], 'woken', false]);
    },
  );
});

describe('the virtual clock', () => {
  it('lets things happen in the order of their times, each at its own millisecond', async () => {
    const clock = createVirtualClock(1000);
    const seen: Array<[string, number]> = [];
    const note = (what: string) => seen.push([what, clock.now()]);
    clock.after(30, () => note('third'));
    clock.every(20, () => note('often'));
    clock.after(10, () => {
      note('first');
      clock.after(5, () => note('of the first'));
    });
    await clock.pass(40);
    expect(seen).toEqual([
      ['first', 1010],
      ['of the first', 1015],
      ['often', 1020],
      ['third', 1030],
      ['often', 1040],
    ]);
    expect([clock.now(), clock.elapsed(), clock.waiting, clock.nextMs]).toEqual([1040, 40, 1, 20]);
  });

  it('stands still between two moments, while what needs no time goes on', async () => {
    const clock = createVirtualClock();
    let rounds = 0;
    (async () => {
      while (rounds < 24) {
        await clock.sleep(3_600_000);
        rounds++;
      }
    })();
    await clock.pass(12 * 3_600_000);
    expect(rounds).toBe(12);
  });
});

describe('within a limit of time', () => {
  const never = () => new Promise<never>(() => {});
  const fail = () => {
    throw new Error('too late');
  };

  it.each([
    ['brings', () => Promise.resolve('in time'), 'in time'],
    ['throws', () => Promise.reject(new Error('broken')), 'broken'],
  ])('is what the promise %s in time, and nothing waits afterwards', async (_, ask, expected) => {
    const clock = createVirtualClock();
    const got = await within(ask(), 1000, fail, clock).catch((error: Error) => error.message);
    expect([got, clock.waiting]).toEqual([expected, 0]);
  });

  it.each([
    ['returns', () => 'late', 'late'],
    ['throws', fail, 'too late'],
  ])('is what is %s when the limit has passed, and not before', async (_, late, expected) => {
    const clock = createVirtualClock();
    const seen: string[] = [];
    void within(never(), 1000, late, clock).then(
      value => seen.push(value),
      (error: Error) => seen.push(error.message),
    );
    await clock.pass(999);
    expect(seen).toEqual([]);
    await clock.pass(1);
    expect(seen).toEqual([expected]);
  });
});

it('the hasty clock lets time pass as far as someone sleeps, with all that is due until then', async () => {
  const clock = createHastyClock();
  const seen: string[] = [];
  clock.after(59_000, () => seen.push('due'));
  clock.after(61_001, () => seen.push('not due'));
  for (const ms of [1000, 60_000]) await clock.sleep(ms);
  expect([seen, clock.elapsed(), clock.slept]).toEqual([['due'], 61_000, [1000, 60_000]]);
});

it('a poll runs at once and every so often, never twice at a time, until it is stopped', async () => {
  const clock = createVirtualClock();
  const ends: (() => void)[] = [];
  const poll = createPoll(clock, () => new Promise<void>(resolve => ends.push(resolve)), 5000);
  poll.start();
  poll.start();
  expect(ends).toHaveLength(1);
  await clock.pass(10_000);
  expect(ends).toHaveLength(1);
  ends[0]!();
  await clock.pass(4999);
  expect(ends).toHaveLength(1);
  await clock.pass(1);
  expect(ends).toHaveLength(2);
  ends[1]!();
  poll.stop();
  await clock.pass(60_000);
  expect([ends.length, clock.waiting]).toEqual([2, 0]);
});
