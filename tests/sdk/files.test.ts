import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stateFile } from '../../lib/contract/index.js';
import { withFileLock } from '../../lib/sdk/files/file-lock.js';
import { findHome } from '../../lib/sdk/files/home.js';
import { readJsonFile } from '../../lib/sdk/files/read-json.js';
import { replaceFile } from '../../lib/sdk/files/replace-file.js';

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
async function holdLock(path: string, pace: Parameters<typeof withFileLock>[3]) {
  let letGo = () => {};
  const wanted = new Promise<void>(resolve => {
    letGo = resolve;
  });
  let done: Promise<void> = Promise.resolve();
  await new Promise<void>(resolve => {
    done = withFileLock(
      path,
      () => {
        resolve();
        return wanted;
      },
      undefined,
      pace,
    );
  });
  return {
    async release() {
      letGo();
      await done;
    },
  };
}

describe('a lock between processes', () => {
  it('admits one at a time, in order, and is removed afterwards', async () => {
    const path = join(folder, 'x.lock');
    let inside = 0;
    let most = 0;
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        withFileLock(path, async () => {
          most = Math.max(most, ++inside);
          await new Promise(resolve => setTimeout(resolve, 5));
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
    expect(await withFileLock(path, async () => 'in', undefined, { patience: Infinity })).toBe('in');
    expect(await readdir(folder)).toEqual([]);
  });

  it('is taken over from an unknown holder if it stays unchanged', async () => {
    const path = join(folder, 'x.lock');
    for (const left of ['', 'null', '{"pid":1,"place":"another machine"}']) {
      await writeFile(path, left);
      expect(await withFileLock(path, async () => 'in', undefined, { retryMs: 1, patience: 3 })).toBe('in');
    }
  });

  it('is not taken over because of an old file time alone', async () => {
    const path = join(folder, 'x.lock');
    const long = new Date(Date.now() - 60_000);
    let isIn = false;
    const first = await holdLock(path, { freshMs: 1_000_000 });
    await utimes(path, long, long);
    const second = withFileLock(
      path,
      async () => {
        isIn = true;
      },
      undefined,
      { retryMs: 1, patience: Infinity },
    );
    await new Promise(resolve => setTimeout(resolve, 30));
    expect(isIn).toBe(false);
    await first.release();
    await second;
  });

  it('is taken over from a suspended holder, which then does not release it', async () => {
    const path = join(folder, 'x.lock');
    const asleep = await holdLock(path, { freshMs: 1_000_000 });
    const next = await holdLock(path, { retryMs: 1, patience: 3 });
    const held = await readFile(path, 'utf8');
    await asleep.release();
    expect(await readFile(path, 'utf8')).toBe(held);
    await next.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is not refreshed by a holder that lost it', async () => {
    const path = join(folder, 'x.lock');
    const lost = await holdLock(path, { freshMs: 1 });
    await writeFile(path, 'of another');
    const long = new Date(Date.now() - 60_000);
    await utimes(path, long, long);
    await new Promise(resolve => setTimeout(resolve, 20));
    expect((await stat(path)).mtime).toEqual(long);
    await lost.release();
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
