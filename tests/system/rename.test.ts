// Replacing a file that another process has open, which fails on Windows.
import { describe, expect, it } from 'vitest';
import { rename } from '../../lib/system/index.js';
import { createHastyClock } from '../support/hasty-clock.js';

/** Fails with each of these codes, then succeeds. */
function renameAfter(...codes: string[]) {
  const calls: string[] = [];
  return {
    calls,
    async rename(from: string, to: string) {
      calls.push(`${from} → ${to}`);
      const code = codes.shift();
      if (code) throw Object.assign(new Error(code), { code });
    },
  };
}

const WAITS_MS = [10, 20, 40, 80, 160, 320, 500, 500, 500, 500, 500];

describe('rename', () => {
  it.each(['EPERM', 'EACCES', 'EBUSY'])('is retried on Windows while it fails with %s', async code => {
    const attempts = renameAfter(code, code);
    const clock = createHastyClock();
    await rename('a', 'b', { rename: attempts.rename, platform: 'win32', clock });
    expect(attempts.calls).toEqual(['a → b', 'a → b', 'a → b']);
    expect(clock.slept).toEqual(WAITS_MS.slice(0, 2));
  });

  it("gives up with the system's error after three seconds", async () => {
    const attempts = renameAfter(...Array.from({ length: 20 }, () => 'EBUSY'));
    const clock = createHastyClock();
    await expect(rename('a', 'b', { rename: attempts.rename, platform: 'win32', clock })).rejects.toThrow(
      'EBUSY',
    );
    expect(attempts.calls).toHaveLength(12);
    expect(clock.slept).toEqual(WAITS_MS);
  });

  it.each([
    ['win32', 'ENOENT'],
    ['linux', 'EACCES'],
    ['darwin', 'EPERM'],
  ] as const)('fails at once on %s with %s', async (platform, code) => {
    const attempts = renameAfter(code);
    await expect(rename('a', 'b', { rename: attempts.rename, platform })).rejects.toThrow(code);
    expect(attempts.calls).toHaveLength(1);
  });
});
