import { describe, expect, it } from 'vitest';
import { createRequestCounts } from '../../../lib/cloud/edge/request-counts.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

const MINUTE = 60_000;

describe('the requests of the last hour', () => {
  it('are counted for each deployment, with those that failed', () => {
    const counts = createRequestCounts(createVirtualClock());
    counts.add('a', true);
    counts.add('a', false);
    counts.add('b', true);
    expect([counts.read('a'), counts.read('b'), counts.read('c')]).toEqual([
      { requests: 2, failed: 1 },
      { requests: 1, failed: 0 },
      { requests: 0, failed: 0 },
    ]);
  });

  it('are forgotten after an hour, minute by minute', async () => {
    const clock = createVirtualClock();
    const counts = createRequestCounts(clock);
    counts.add('a', true);
    await clock.pass(30 * MINUTE);
    counts.add('a', false);
    await clock.pass(29 * MINUTE);
    expect(counts.read('a')).toEqual({ requests: 2, failed: 1 });
    await clock.pass(MINUTE);
    expect(counts.read('a')).toEqual({ requests: 1, failed: 1 });
    // The place of the first minute is used again.
    counts.add('a', true);
    expect(counts.read('a')).toEqual({ requests: 2, failed: 1 });
    await clock.pass(61 * MINUTE);
    expect(counts.read('a')).toEqual({ requests: 0, failed: 0 });
  });
});
