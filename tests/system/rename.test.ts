// Replacing a file that another process has open, which fails on Windows.
import { describe, expect, it } from 'vitest';
import { rename } from '../../lib/system/index.js';

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

const waitsMs = [1, 1, 1];

describe('rename', () => {
  it.each(['EPERM', 'EACCES', 'EBUSY'])('is retried on Windows while it fails with %s', async code => {
    const attempts = renameAfter(code, code);
    await rename('a', 'b', { rename: attempts.rename, platform: 'win32', waitsMs });
    expect(attempts.calls).toEqual(['a → b', 'a → b', 'a → b']);
  });

  it("gives up with the system's error", async () => {
    const attempts = renameAfter(...Array.from({ length: 9 }, () => 'EBUSY'));
    await expect(rename('a', 'b', { rename: attempts.rename, platform: 'win32', waitsMs })).rejects.toThrow(
      'EBUSY',
    );
    expect(attempts.calls).toHaveLength(4);
  });

  it.each([
    ['win32', 'ENOENT'],
    ['linux', 'EACCES'],
    ['darwin', 'EPERM'],
  ] as const)('fails at once on %s with %s', async (platform, code) => {
    const attempts = renameAfter(code);
    await expect(rename('a', 'b', { rename: attempts.rename, platform, waitsMs })).rejects.toThrow(code);
    expect(attempts.calls).toHaveLength(1);
  });
});
