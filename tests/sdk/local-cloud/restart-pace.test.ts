// How often a cloud that keeps exiting is restarted.
import { describe, expect, it } from 'vitest';
import { createRestartPace } from '../../../lib/sdk/local-cloud/restart-pace.js';

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
    expect(() => pace.begin(61_002)).not.toThrow();
    expect(() => pace.begin(61_003)).not.toThrow();
  });

  it('has no delay after it was stopped on purpose', () => {
    const pace = createRestartPace();
    for (let i = 0; i < 20; i++) expect(() => pace.begin(0, true)).not.toThrow();
    pace.begin(0, false);
    expect(() => pace.begin(0, false)).toThrow('keeps exiting soon after it starts');
    expect(() => pace.begin(0, true)).not.toThrow();
  });

  it('is delayed after failed starts, even if the previous cloud was stopped on purpose', () => {
    const pace = createRestartPace();
    const failure = new Error('The port is taken.');
    for (let i = 0; i < 2; i++) {
      pace.begin(0, true);
      pace.fail(failure);
    }
    expect(() => pace.begin(0, true)).toThrow(failure);
  });

  it('has no delay after reset(), for explicit requests', () => {
    const pace = createRestartPace();
    for (let i = 0; i < 20; i++) {
      pace.reset();
      expect(() => pace.begin(0)).not.toThrow();
      pace.fail(new Error('The port is taken.'));
    }
  });

  it('throws the last failure during the delay', () => {
    const pace = createRestartPace();
    const failure = new Error('The port is taken.');
    pace.begin(0);
    pace.fail(failure);
    pace.begin(1);
    pace.fail(failure);
    expect(() => pace.begin(2)).toThrow(failure);
  });
});
