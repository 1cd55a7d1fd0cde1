import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../lib/clock/index.js';
import { stateFile } from '../../lib/contract/index.js';
import { withFileLock } from '../../lib/sdk/files/file-lock.js';
import { findHome } from '../../lib/sdk/files/home.js';
import { readJsonFile } from '../../lib/sdk/files/read-json.js';
import { replaceFile } from '../../lib/sdk/files/replace-file.js';
import { createHastyClock } from '../support/hasty-clock.js';
import { until } from '../support/until.js';
import { createVirtualClock } from '../support/virtual-clock.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-sdk-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a small file', () => {
  it('is replaced atomically with the given mode, without leftovers', async () => {
    const path = join(folder, 'deep', 'a.json');
    await replaceFile(path, 'one', 0o600);
    await replaceFile(path, 'two', 0o600);
    expect(await readFile(path, 'utf8')).toBe('two');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, 'deep'))).toEqual(['a.json']);
  });

  it('leaves nothing when it cannot be replaced', async () => {
    await expect(replaceFile(join(folder, 'no', '\0', 'x'), 'x')).rejects.toThrow();
    expect(await readdir(folder)).not.toContain('x');
  });

  it('is parsed with its schema, is null if missing, and is left unchanged if invalid', async () => {
    const path = join(folder, 'state.json');
    const read = () => readJsonFile(path, stateFile, 'state_invalid');
    expect(await read()).toBeNull();
    const state = { orgSlug: 'a', projectSlug: 'b', projectId: 'c' };
    await writeFile(path, JSON.stringify(state));
    expect(await read()).toEqual(state);
    for (const content of [
      '{',
      '',
      '[]',
      '{"orgSlug":"a"}',
      '{"orgSlug":"","projectSlug":"b","projectId":"c"}',
    ]) {
      await writeFile(path, content);
      await expect(read()).rejects.toMatchObject({
        code: 'state_invalid',
        message: expect.stringContaining(path),
      });
      expect(await readFile(path, 'utf8')).toBe(content);
    }
    await rm(path);
    await expect(readJsonFile(folder, stateFile, 'state_invalid')).rejects.toThrow('EISDIR');
  });
});

/** Takes the lock and holds it until `release` is called. */
async function holdLock(path: string, clock: Clock) {
  let letGo = () => {};
  const wanted = new Promise<void>(resolve => {
    letGo = resolve;
  });
  let done: Promise<void> = Promise.resolve();
  await new Promise<void>(resolve => {
    const work = () => {
      resolve();
      return wanted;
    };
    done = withFileLock(path, work, undefined, clock);
  });
  return {
    async release() {
      letGo();
      await done;
    },
  };
}

/** 250 looks at an unchanged lock, 40 ms apart. */
const PATIENCE_MS = 250 * 40;
const LONG_AGO = new Date(Date.now() - 60_000);

describe('a lock between processes', () => {
  it('admits one at a time, in order, and is removed afterwards', async () => {
    const path = join(folder, 'x.lock');
    let inside = 0;
    let most = 0;
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        withFileLock(path, async () => {
          most = Math.max(most, ++inside);
          await new Promise(resolve => setImmediate(resolve));
          inside--;
          return i;
        }),
      ),
    );
    expect(results).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(most).toBe(1);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is released when the work fails', async () => {
    const path = join(folder, 'x.lock');
    await expect(withFileLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await withFileLock(path, async () => 'in')).toBe('in');
  });

  it('is taken over immediately from a dead process', async () => {
    const path = join(folder, 'x.lock');
    const holder = spawn(
      process.execPath,
      ['--import', 'tsx', join(import.meta.dirname, 'hold-lock.ts'), path],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    await once(holder.stdout, 'data');
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    expect(await withFileLock(path, async () => 'in', undefined, createVirtualClock())).toBe('in');
    expect(await readdir(folder)).toEqual([]);
  });

  it('is taken over from an unknown holder if it stays unchanged for ten seconds', async () => {
    const path = join(folder, 'x.lock');
    for (const left of ['', 'null', '{"pid":1,"place":"another machine"}']) {
      const clock = createHastyClock();
      await writeFile(path, left);
      expect(await withFileLock(path, async () => clock.elapsed(), undefined, clock)).toBe(PATIENCE_MS);
    }
  });

  it('is not taken over because of an old file time alone', async () => {
    const path = join(folder, 'x.lock');
    const clock = createHastyClock();
    const first = await holdLock(path, createVirtualClock());
    await utimes(path, LONG_AGO, LONG_AGO);
    let isIn = false;
    const enter = async () => {
      isIn = true;
    };
    const second = withFileLock(path, enter, undefined, clock);
    await until(() => clock.slept.length).toBeGreaterThan(10);
    expect(isIn).toBe(false);
    await first.release();
    await second;
    expect(clock.elapsed()).toBeLessThan(PATIENCE_MS);
  });

  it('is kept by a holder that goes on, for hours', async () => {
    const path = join(folder, 'x.lock');
    const clock = createVirtualClock();
    const holder = await holdLock(path, clock);
    for (let second = 0; second < 3; second++) {
      await utimes(path, LONG_AGO, LONG_AGO);
      await clock.pass(999);
      expect((await stat(path)).mtime).toEqual(LONG_AGO);
      await clock.pass(1);
      await until(async () => (await stat(path)).mtimeMs).toBeGreaterThan(LONG_AGO.getTime());
    }
    await holder.release();
    expect(clock.waiting).toBe(0);
  });

  it('is taken over from a suspended holder, which then does not release it', async () => {
    const path = join(folder, 'x.lock');
    const asleep = await holdLock(path, createVirtualClock());
    const next = await holdLock(path, createHastyClock());
    const held = await readFile(path, 'utf8');
    await asleep.release();
    expect(await readFile(path, 'utf8')).toBe(held);
    await next.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is not refreshed by a holder that lost it', async () => {
    const path = join(folder, 'x.lock');
    const clock = createVirtualClock();
    const lost = await holdLock(path, clock);
    await writeFile(path, 'of another');
    await utimes(path, LONG_AGO, LONG_AGO);
    await clock.pass(20_000);
    await lost.release();
    expect((await stat(path)).mtime).toEqual(LONG_AGO);
    expect(await readFile(path, 'utf8')).toBe('of another');
  });
});

describe('the home folder', () => {
  it('is moved by SVC_HOME', () => {
    expect(findHome({ SVC_HOME: '/somewhere' })).toBe('/somewhere');
    expect(findHome({})).toBe(join(homedir(), '.svc'));
    expect(findHome({ SVC_HOME: '' })).toBe(join(homedir(), '.svc'));
  });
});
