// How often a cloud that does not stay is started.
import { describe, expect, it } from 'vitest';
import { createRestartPace } from '../../../lib/sdk/local-cloud/restart-pace.js';

describe('the local cloud', () => {
  it('is started again at once, then after waits that double, up to half a minute', () => {
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

  it('that stayed for a minute is started without a wait', () => {
    const pace = createRestartPace();
    for (const now of [0, 1, 1001]) pace.begin(now);
    expect(() => pace.begin(2000)).toThrow();
    expect(() => pace.begin(61_002)).not.toThrow();
    expect(() => pace.begin(61_003)).not.toThrow();
  });

  it('that was stopped on purpose is started without a wait, however often and however soon', () => {
    const pace = createRestartPace();
    for (let i = 0; i < 20; i++) expect(() => pace.begin(0, true)).not.toThrow();
    pace.begin(0, false);
    expect(() => pace.begin(0, false)).toThrow('keeps exiting soon after it starts');
    expect(() => pace.begin(0, true)).not.toThrow();
  });

  it('that could not be started is slowed down, whatever the cloud before it ended by', () => {
    const pace = createRestartPace();
    const failure = new Error('The port is taken.');
    for (let i = 0; i < 2; i++) {
      pace.begin(0, true);
      pace.fail(failure);
    }
    expect(() => pace.begin(0, true)).toThrow(failure);
  });

  it('that a user asks for is started, whatever was before', () => {
    const pace = createRestartPace();
    for (let i = 0; i < 20; i++) {
      pace.reset();
      expect(() => pace.begin(0)).not.toThrow();
      pace.fail(new Error('The port is taken.'));
    }
  });

  it('that could not be started says why to those who come too early', () => {
    const pace = createRestartPace();
    const failure = new Error('The port is taken.');
    pace.begin(0);
    pace.fail(failure);
    pace.begin(1);
    pace.fail(failure);
    expect(() => pace.begin(2)).toThrow(failure);
  });
});
