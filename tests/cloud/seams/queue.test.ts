// When refused callers are told to return: simulated with clients who retry twice, as OpenAI's and Anthropic's do.
import { expect, it } from 'vitest';
import { createQueue, type Queue } from '../../../lib/cloud/seams/queue.js';
import { createRandom } from '../../support/random.js';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.js';

const PLACES = 40;
const BATCH = 8;
const RETRIES = 2;

/** An engine that computes eight at once, of which each takes 0.5 to 1.5 times `ms`, and lets 32 more wait. Loads its model first. */
function createEngine(clock: VirtualClock, queue: Queue, { ms, loadMs }: { ms: number; loadMs: number }) {
  const loaded = clock.sleep(loadMs);
  const random = createRandom(7);
  const waiting: (() => void)[] = [];
  let running = 0;

  async function run(): Promise<void> {
    const leave = queue.enter();
    if (running === BATCH) await new Promise<void>(resolve => waiting.push(resolve));
    else running++;
    await loaded;
    await clock.sleep(ms * (0.5 + random.next()));
    leave(true);
    const next = waiting.shift();
    if (next) next();
    else running--;
  }

  /** Returns how often it was refused; null if that was too often. */
  return async function ask(caller: string): Promise<number | null> {
    for (let refused = 0; refused <= RETRIES; refused++) {
      if (running + waiting.length < PLACES) {
        await run();
        return refused;
      }
      await clock.sleep(queue.refuse(caller));
    }
    return null;
  };
}

async function simulate(ms: number, callers: readonly string[], loadMs = 0) {
  const clock = createVirtualClock();
  const queue = createQueue(PLACES, clock);
  const ask = createEngine(clock, queue, { ms, loadMs });
  const ended = Promise.all(callers.map(ask));
  let isEnded = false;
  void ended.then(() => {
    isEnded = true;
  });
  while (!isEnded) await clock.pass(Math.max(1, clock.nextMs ?? 1));
  return { refused: await ended, tookMs: clock.elapsed() };
}

const many = (count: number, name = 'a') => Array.from({ length: count }, () => name);

it.each([
  [20, 0],
  [20, 6000],
  [200, 0],
  [200, 6000],
  [1000, 0],
  [2000, 0],
  [4000, 0],
])(
  'of 100 chats of %i ms at once, after %i ms of loading, none is refused in the end',
  async (ms, loadMs) => {
    const { refused, tookMs } = await simulate(ms, many(100), loadMs);
    expect(refused.filter(count => count === null)).toEqual([]);
    // The engine is not left idle for long either.
    expect(tookMs).toBeLessThan(2 * ((100 / BATCH) * ms + loadMs) + 20_000);
  },
);

it('two callers with 60 chats each all get their answers', async () => {
  const { refused } = await simulate(1000, [...many(60), ...many(60, 'b')]);
  expect(refused.filter(count => count === null)).toEqual([]);
});

it('a caller that ignores the hint delays no other by more than its share', () => {
  const clock = createVirtualClock();
  const queue = createQueue(PLACES, clock);
  for (let i = 0; i < 1000; i++) expect(queue.refuse('rude')).toBeLessThanOrEqual(60_000);
  expect(queue.refuse('polite')).toBe(22 * 250);
});

it('says how many places are free, and when all will be', async () => {
  const clock = createVirtualClock();
  const queue = createQueue(PLACES, clock);
  expect(queue.state).toEqual({ places: 40, free: 40, resetMs: 0 });
  const leave = Array.from({ length: 50 }, () => queue.enter());
  expect([queue.activeCount, queue.state!.free]).toEqual([50, 0]);
  for (const one of leave.slice(0, 30)) {
    await clock.pass(100);
    one(true);
  }
  expect(queue.state).toMatchObject({ free: 20 });
  expect(queue.state!.resetMs).toBeCloseTo(20 * 100);
  for (const one of leave.slice(30)) one(false);
  expect(queue.state).toEqual({ places: 40, free: 40, resetMs: 0 });
  expect(createQueue(undefined, clock).state).toBeNull();
});
