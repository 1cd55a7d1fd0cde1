// Work that is done again and again, never twice at once.
import { expect, it } from 'vitest';
import { repeat } from '../../lib/clock/index.js';
import { createVirtualClock } from '../support/virtual-clock.js';

it('is done once every interval, and not begun again before it has ended', async () => {
  const clock = createVirtualClock();
  const begun: number[] = [];
  const work = async () => {
    begun.push(clock.elapsed());
    if (begun.length === 2) await clock.sleep(25_000);
  };
  const repeating = repeat(work, 10_000, clock);
  await clock.pass(60_000);
  expect(begun).toEqual([10_000, 20_000, 50_000, 60_000]);
  await repeating.stop();
  await clock.pass(60_000);
  expect([begun.length, clock.waiting]).toEqual([4, 0]);
});

it('has ended once it is stopped', async () => {
  const clock = createVirtualClock();
  let hasEnded = false;
  const work = async () => {
    await clock.sleep(3000);
    hasEnded = true;
  };
  const repeating = repeat(work, 1000, clock);
  await clock.pass(1000);
  const stopped = repeating.stop().then(() => hasEnded);
  await clock.pass(3000);
  expect(await stopped).toBe(true);
});
