import { describe, expect, it } from 'vitest';
import { createRestartPace } from '../../../lib/sdk/local-cloud/ensure.js';

const failure = new Error('The port is taken.');

describe('restarting the local cloud', () => {
  it('is allowed immediately at first, then after delays that double up to 30 seconds', () => {
    const pace = createRestartPace();
    let now = 0;
    const waits = Array.from({ length: 9 }, () => {
      const since = now;
      for (; ; now += 500) {
        try {
          pace.begin(now);
          return now - since;
        } catch (error) {
          expect(error).toMatchObject({ code: 'cloud_unreachable' });
        }
      }
    });
    expect(waits).toEqual([0, 0, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });

  it('has no delay after it ran for a minute', () => {
    const pace = createRestartPace();
    for (const now of [0, 1, 1001]) pace.begin(now);
    expect(() => pace.begin(2000)).toThrow();
    for (const now of [61_002, 61_003]) pace.begin(now);
  });

  it('has no delay after it was stopped on purpose', () => {
    const pace = createRestartPace();
    for (let i = 0; i < 20; i++) pace.begin(0, true);
    pace.begin(0, false);
    expect(() => pace.begin(0, false)).toThrow('keeps exiting soon after it starts');
    pace.begin(0, true);
  });

  it.each([true, false])(
    'is delayed after failed starts, and says why, stopped on purpose or not: %s',
    isStopped => {
      const pace = createRestartPace();
      for (const now of [0, 1]) {
        pace.begin(now, isStopped);
        pace.fail(failure);
      }
      expect(() => pace.begin(2, isStopped)).toThrow(failure);
    },
  );

  it('has no delay after reset(), for explicit requests', () => {
    const pace = createRestartPace();
    for (let i = 0; i < 20; i++) {
      pace.reset();
      pace.begin(0);
      pace.fail(failure);
    }
  });
});
