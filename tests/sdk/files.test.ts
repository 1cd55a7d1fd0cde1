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
  it('is replaced as a whole, with the rights that are asked for, and leaves nothing beside it', async () => {
    const path = join(folder, 'deep', 'a.json');
    await replaceFile(path, 'one', 0o600);
    await replaceFile(path, 'two', 0o600);
    expect(await readFile(path, 'utf8')).toBe('two');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, 'deep'))).toEqual(['a.json']);
  });

  it('stays as it was when it cannot be replaced', async () => {
    await expect(replaceFile(join(folder, 'no', '\0', 'x'), 'x')).rejects.toThrow();
    expect(await readdir(folder)).not.toContain('x');
  });

  it('is read in its shape, is null when it is missing, and is an error that leaves it alone otherwise', async () => {
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

describe('a lock between processes', () => {
  it('lets one in at a time, in turn, and is gone afterwards', async () => {
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

  it('is freed by work that fails', async () => {
    const path = join(folder, 'x.lock');
    await expect(withFileLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await withFileLock(path, async () => 'in')).toBe('in');
  });

  it('is taken over from a process that died with it', async () => {
    const path = join(folder, 'x.lock');
    await writeFile(path, '');
    const long = new Date(Date.now() - 60_000);
    await utimes(path, long, long);
    expect(await withFileLock(path, async () => 'in')).toBe('in');
  });
});

describe('the home folder', () => {
  it('is moved by SVC_HOME', () => {
    expect(findHome({ SVC_HOME: '/somewhere' })).toBe('/somewhere');
    expect(findHome({})).toBe(join(homedir(), '.svc'));
    expect(findHome({ SVC_HOME: '' })).toBe(join(homedir(), '.svc'));
  });
});
