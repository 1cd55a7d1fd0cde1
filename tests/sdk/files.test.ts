import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type Clock, realClock } from '../../lib/clock/index.js';
import { ApiError, stateFile } from '../../lib/contract/index.js';
import { withFileLock } from '../../lib/sdk/files/file-lock.js';
import { findHome, makeFolder, replaceFile } from '../../lib/sdk/files/files.js';
import { readJsonFile } from '../../lib/sdk/files/json-file.js';
import { IN_HOME, requireRoomForCloud, toNotWritable } from '../../lib/sdk/files/not-writable.js';
import { diskFull, fileHandles } from '../support/file-handles.js';
import { createHastyClock } from '../support/hasty-clock.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { findTestProgram } from '../support/test-program.js';
import { until } from '../support/until.js';
import { createVirtualClock } from '../support/virtual-clock.js';
import { openPromise } from './support.js';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = temporaryFolder('svc-sdk');
  await chmod(folder, 0o755);
  path = join(folder, 'x.lock');
});

describe('a small file', () => {
  it('is replaced atomically with the given mode, without leftovers', async () => {
    const deep = join(folder, 'deep', 'a.json');
    for (const content of ['one', 'two']) await replaceFile(deep, content, 0o600);
    expect(await readFile(deep, 'utf8')).toBe('two');
    expect((await stat(deep)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(folder, 'deep'))).toEqual(['a.json']);
  });

  it('leaves nothing when it cannot be replaced', async () => {
    await expect(replaceFile(join(folder, 'no', '\0', 'x'), 'x')).rejects.toThrow();
    expect(await readdir(folder)).not.toContain('x');
  });

  const read = (at: string) => readJsonFile(at, stateFile, 'state_invalid');

  it('is parsed with its schema, and is null if missing', async () => {
    expect(await read(path)).toBeNull();
    const state = { orgSlug: 'a', projectSlug: 'b', projectId: 'c' };
    await writeFile(path, JSON.stringify(state));
    expect(await read(path)).toEqual(state);
    await writeFile(path, `\uFEFF${JSON.stringify(state)}`);
    expect(await read(path)).toEqual(state);
    await expect(read(folder)).rejects.toThrow('EISDIR');
  });

  it.each(['{', '', '[]', '{"orgSlug":"a"}', '{"orgSlug":"","projectSlug":"b","projectId":"c"}'])(
    'is left unchanged if it is invalid: %s',
    async content => {
      await writeFile(path, content);
      const message = expect.stringContaining(path);
      await expect(read(path)).rejects.toMatchObject({ code: 'state_invalid', message });
      expect(await readFile(path, 'utf8')).toBe(content);
    },
  );
});

/** Takes the lock and holds it until `release` is called. */
async function holdLock(clock: Clock) {
  const [held, wanted] = [openPromise(), openPromise()];
  const work = () => {
    held.resolve();
    return wanted.promise;
  };
  const done = withFileLock(path, work, { clock });
  await held.promise;
  return {
    async release() {
      wanted.resolve();
      await done;
    },
  };
}

const enter = (clock: Clock = realClock) => withFileLock(path, async () => 'in', { clock });

/** 250 looks at an unchanged lock, 40 ms apart. */
const PATIENCE_MS = 250 * 40;
const LONG_AGO = new Date(Date.now() - 60_000);

describe('a lock between processes', () => {
  it('that the disk has no room for leaves no file, of the lock or of whose turn it is', async () => {
    const write = vi.spyOn(await fileHandles(), 'writeFile').mockRejectedValue(diskFull());
    try {
      await expect(enter()).rejects.toThrow('the disk is full (ENOSPC)');
      expect(await readdir(folder)).toEqual([]);
      await writeFile(path, 'of one that is gone');
      await expect(enter(createHastyClock())).rejects.toThrow('the disk is full (ENOSPC)');
      expect(await readdir(folder)).toEqual(['x.lock']);
    } finally {
      write.mockRestore();
    }
  });

  it('admits one at a time, in order, and is removed afterwards', async () => {
    let [inside, most] = [0, 0];
    const work = (i: number) => async () => {
      most = Math.max(most, ++inside);
      await new Promise(resolve => setImmediate(resolve));
      inside--;
      return i;
    };
    const numbers = [0, 1, 2, 3, 4, 5, 6, 7];
    expect(await Promise.all(numbers.map(i => withFileLock(path, work(i))))).toEqual(numbers);
    expect(most).toBe(1);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is released when the work fails', async () => {
    await expect(withFileLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await enter()).toBe('in');
  });

  it('is taken over immediately from a dead process', async () => {
    const program = await findTestProgram(join(import.meta.dirname, 'hold-lock.ts'));
    const words = [...program.execArgv, program.path, path];
    const holder = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(holder.stdout, 'data');
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    expect(await enter(createVirtualClock())).toBe('in');
    expect(await readdir(folder)).toEqual([]);
  });

  it('is taken over by one of many at a time', async () => {
    const { pid } = spawnSync(process.execPath, ['-v']);
    const { text } = await withFileLock(path, async () => ({ text: await readFile(path, 'utf8') }));
    let [inside, most] = [0, 0];
    const work = async () => {
      most = Math.max(most, ++inside);
      for (let turns = 0; turns < 5; turns++) await stat(folder);
      inside--;
    };
    for (let round = 0; round < 40; round++) {
      await writeFile(path, JSON.stringify({ ...JSON.parse(text), token: `${round}`, pid }));
      const clock = createHastyClock();
      await Promise.all(Array.from({ length: 8 }, () => withFileLock(path, work, { clock })));
    }
    expect(most).toBe(1);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is taken over although the process that was about to has died', async () => {
    const holder = { place: 'another machine', pid: 1 };
    await writeFile(path, JSON.stringify(holder));
    const turn = createHash('sha256').update(`${(await stat(path)).mtimeMs} ${JSON.stringify(holder)}`);
    await writeFile(`${path}.${turn.digest('hex').slice(0, 16)}`, JSON.stringify({ ...holder, token: 'x' }));
    expect(await enter(createHastyClock())).toBe('in');
    expect(await readdir(folder)).toEqual([]);
  });

  it('is taken over from an unknown holder if it stays unchanged for ten seconds', async () => {
    for (const left of ['', 'null', '{"pid":1,"place":"another machine"}']) {
      const clock = createHastyClock();
      await writeFile(path, left);
      expect(await withFileLock(path, async () => clock.elapsed(), { clock })).toBe(PATIENCE_MS);
    }
  });

  it('is not taken over because of an old file time alone', async () => {
    const clock = createHastyClock();
    const first = await holdLock(createVirtualClock());
    await utimes(path, LONG_AGO, LONG_AGO);
    let isIn = false;
    const second = enter(clock).finally(() => {
      isIn = true;
    });
    await until(() => clock.slept.length).toBeGreaterThan(10);
    expect(isIn).toBe(false);
    await first.release();
    await second;
    expect(clock.elapsed()).toBeLessThan(PATIENCE_MS);
  });

  it('is kept by a holder that goes on, for hours', async () => {
    const clock = createVirtualClock();
    const holder = await holdLock(clock);
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
    const asleep = await holdLock(createVirtualClock());
    const next = await holdLock(createHastyClock());
    const held = await readFile(path, 'utf8');
    await asleep.release();
    expect(await readFile(path, 'utf8')).toBe(held);
    await next.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is not refreshed by a holder that lost it', async () => {
    const clock = createVirtualClock();
    const lost = await holdLock(clock);
    await writeFile(path, 'of another');
    await utimes(path, LONG_AGO, LONG_AGO);
    await clock.pass(20_000);
    await lost.release();
    expect((await stat(path)).mtime).toEqual(LONG_AGO);
    expect(await readFile(path, 'utf8')).toBe('of another');
  });
});

it('the home folder is moved by SVC_HOME', () => {
  expect(findHome({ SVC_HOME: '/somewhere' })).toBe('/somewhere');
  for (const env of [{}, { SVC_HOME: '' }]) expect(findHome(env)).toBe(join(homedir(), '.svc'));
});

/** What is thrown in the folder, and says what failed, why, and how to fix it, when nothing can be written in it. */
async function thrownBy(work: () => unknown): Promise<Error> {
  await chmod(folder, 0o555);
  const isRoot = process.geteuid?.() === 0;
  const nobody = 65_534;
  if (isRoot) process.seteuid!(nobody);
  try {
    await work();
  } catch (error) {
    return error as Error;
  } finally {
    if (isRoot) process.seteuid!(0);
  }
  throw new Error('It was written.');
}

describe('a folder', () => {
  it('is created with its parents and the given mode, and left unchanged if it exists', async () => {
    const path = join(folder, 'a', 'b');
    makeFolder(path, { mode: 0o700 });
    makeFolder(path, { mode: 0o755 });
    for (const made of [path, join(folder, 'a')]) expect((await stat(made)).mode & 0o777).toBe(0o700);
  });

  it('reports the file that is in the way', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    const inTheWay = { EEXIST: file, ENOTDIR: join(file, 'a', 'b') };
    for (const [code, path] of Object.entries(inTheWay))
      expect(() => makeFolder(path)).toThrow(
        `${path} cannot be written: the file ${file} is in the way (${code}). Move it, or use another folder.`,
      );
  });

  it('that cannot be created causes an error', () => {
    expect(() => makeFolder('/proc/nope/deep')).toThrow(
      /^\/proc\/nope\/deep cannot be written: .*another folder\.$/i,
    );
  });
});

describe('without write permission', () => {
  const denied = (path: string) =>
    `${path} cannot be written: permission denied (EACCES). Change the owner or permissions of ${folder}, or `;

  it('a folder in it names the folder to change', async () => {
    const path = join(folder, '.svc', 'build');
    const message = `${denied(path)}use another folder.`;
    expect(await thrownBy(() => makeFolder(path))).toMatchObject({ code: 'not_writable', message });
    const inHome = await thrownBy(() => makeFolder(path, { elsewhere: IN_HOME }));
    expect(inHome.message).toBe(`${denied(path)}set SVC_HOME to another folder.`);
  });

  it('a file in it does, too, and leaves nothing', async () => {
    const path = join(folder, 'a.json');
    expect((await thrownBy(() => replaceFile(path, 'x'))).message).toBe(`${denied(path)}use another folder.`);
    expect(await readdir(folder)).toEqual([]);
  });

  it('so does a lock', async () => {
    const lock = () => withFileLock(join(folder, 'x.lock'), async () => 'in', { elsewhere: IN_HOME });
    expect((await thrownBy(lock)).message).toBe(`${denied(folder)}set SVC_HOME to another folder.`);
  });
});

it('a file does not replace a folder', async () => {
  const path = join(folder, 'a.json');
  await mkdir(join(path, 'b'), { recursive: true });
  await expect(replaceFile(path, 'x')).rejects.toThrow(`the folder ${path} is in the way`);
  expect(await readdir(folder)).toEqual(['a.json']);
});

describe('a file system error', () => {
  const fix = 'Change the owner or permissions of FOLDER, or use another folder.';

  it.each([
    ['EACCES', `permission denied (EACCES). ${fix}`],
    ['EPERM', `permission denied (EPERM). ${fix}`],
    ['EROFS', 'the file system is read-only (EROFS). Use another folder.'],
    ['ENOSPC', 'the disk is full (ENOSPC). Free up space, or use another folder.'],
    ['EDQUOT', 'your disk quota is used up (EDQUOT). Free up space, or use another folder.'],
    ['ENOENT', 'there is no such folder in FOLDER (ENOENT). Use another folder.'],
    ['ENAMETOOLONG', 'the name is too long (ENAMETOOLONG). Use another folder.'],
  ])('%s has a reason and a fix, and keeps its cause', (code, sentence) => {
    const cause = Object.assign(new Error(code), { code });
    const path = join(folder, 'a', 'b');
    const message = `${path} cannot be written: ${sentence.replace('FOLDER', folder)}`;
    expect(toNotWritable(cause, path)).toMatchObject({ message, status: 500, cause });
  });

  it('of another kind is unchanged', () => {
    for (const other of [new Error('x'), new ApiError('slug_taken', 'Taken.'), 'text'])
      expect(toNotWritable(other, folder)).toBe(other);
  });
});

it('the check for free disk space throws with the needed space, the free space and a fix', () => {
  const path = join(folder, 'home', 'cloud');
  const sentence =
    /^The disk of (\S+) is full: a cloud needs 1000000000000 MB there to start, and [\d.]+ MB is free\. Make room there, or set SVC_HOME to another folder\.$/;
  const fault = expect.objectContaining({ code: 'not_writable', message: expect.stringMatching(sentence) });
  const ask = (bytes: number) => () => requireRoomForCloud(path, { elsewhere: IN_HOME, bytes });
  expect(ask(1e18)).toThrow(fault);
  expect(ask(1e18)).toThrow(path);
  expect(ask(1)()).toBeUndefined();
});
