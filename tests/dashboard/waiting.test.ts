// What the dashboard does later, or again and again, in a time that passes at once.
import { expect, it } from 'vitest';
import { createIdentityKeeper } from '../../cli/dashboard/core/identity-keeper.js';
import { createPoll } from '../../cli/dashboard/core/poll.js';
import { createRepaint } from '../../cli/dashboard/core/repaint.js';
import { IDENTITY_POLL_MS } from '../../lib/console/index.js';
import { ApiError, type Identity } from '../../lib/contract/index.js';
import { createVirtualClock } from '../support/virtual-clock.js';

it('a poll runs at once and every five seconds, never twice at a time, until it is stopped', async () => {
  const clock = createVirtualClock();
  const ends: (() => void)[] = [];
  const poll = createPoll(clock, () => new Promise<void>(resolve => ends.push(resolve)));
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

it.each<[string, Identity | ApiError, number | null]>([
  ['there is no project yet', { projectSlug: null } as Identity, IDENTITY_POLL_MS],
  ['the cloud is away', new ApiError('cloud_unreachable', 'away'), 5000],
  ['there is a project', { projectSlug: 'shop' } as Identity, null],
  ['it is refused for good', new ApiError('studio_token_invalid', 'no'), null],
])('the identity, while %s, is asked for again after the right time', async (_, answer, after) => {
  const clock = createVirtualClock();
  const ending = new AbortController();
  let asked = 0;
  const keeper = createIdentityKeeper({
    async getIdentity() {
      asked++;
      if (answer instanceof ApiError) throw answer;
      return answer;
    },
    onIdentity() {},
    onProblem() {},
    clock,
    signal: ending.signal,
  });
  await keeper.ask();
  expect(clock.nextMs).toBe(after);
  await clock.pass(after ?? 60_000);
  expect(asked).toBe(after === null ? 1 : 2);
  ending.abort();
  expect(clock.waiting).toBe(0);
});

it('changes are drawn together, six times a second at the most, and at once where a key asks for it', async () => {
  const clock = createVirtualClock();
  const repaint = createRepaint(clock);
  let drawn = 0;
  repaint.subscribe(() => drawn++);
  for (let ms = 0; ms < 990; ms += 10) {
    repaint.request();
    await clock.pass(10);
  }
  expect(drawn).toBe(6);
  repaint.request();
  repaint.flush();
  expect(drawn).toBe(7);
  repaint.flush();
  expect(drawn).toBe(7);
});
