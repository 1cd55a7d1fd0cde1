import { expect, it } from 'vitest';
import { createRequestCounts } from '../../../lib/cloud/edge/request-counts.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

it('the requests of the last hour are counted for each deployment, with those that failed', async () => {
  const minutes = (count: number) => clock.pass(count * 60_000);
  const clock = createVirtualClock();
  const counts = createRequestCounts(clock);
  counts.add('a', true);
  await minutes(30);
  counts.add('a', false);
  counts.add('b', true);
  await minutes(29);
  expect(counts.read('a')).toEqual({ requests: 2, failed: 1 });
  expect(counts.read('b')).toEqual({ requests: 1, failed: 0 });
  expect(counts.read('c')).toEqual({ requests: 0, failed: 0 });
  await minutes(1);
  expect(counts.read('a')).toEqual({ requests: 1, failed: 1 });
  // The place of the first minute is used again.
  counts.add('a', true);
  expect(counts.read('a')).toEqual({ requests: 2, failed: 1 });
  await minutes(61);
  expect(counts.read('a')).toEqual({ requests: 0, failed: 0 });
});
