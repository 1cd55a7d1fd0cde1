// Errors for files and folders that cannot be written: each says what failed, why, and how to fix it.
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/contract/index.js';
import { requireRoomForCloud } from '../../lib/sdk/files/disk-room.js';
import { withFileLock } from '../../lib/sdk/files/file-lock.js';
import { makeFolder } from '../../lib/sdk/files/make-folder.js';
import { IN_HOME, toNotWritable } from '../../lib/sdk/files/not-writable.js';
import { replaceFile } from '../../lib/sdk/files/replace-file.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-sdk-'));
  await chmod(folder, 0o755);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const NOBODY = 65_534;

/** Runs without root's permissions. */
async function asAnybody<T>(work: () => T | Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid!(NOBODY);
  try {
    return await work();
  } finally {
    if (isRoot) process.seteuid!(0);
  }
}

const thrownBy = (work: () => unknown) =>
  asAnybody(work).then(
    () => null,
    (error: Error) => error,
  );

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
    for (const path of [file, join(file, 'a', 'b')]) {
      const code = path === file ? 'EEXIST' : 'ENOTDIR';
      expect(() => makeFolder(path)).toThrow(
        `${path} cannot be written: the file ${file} is in the way (${code}). Move it, or use another folder.`,
      );
    }
  });

  it('that cannot be created causes an error', () => {
    expect(() => makeFolder('/proc/nope/deep')).toThrow(
      /^\/proc\/nope\/deep cannot be written: .*another folder\.$/i,
    );
  });

  it('without write permission names the folder to change', async () => {
    await chmod(folder, 0o555);
    const path = join(folder, '.svc', 'build');
    const said = `permission denied (EACCES). Change the owner or permissions of ${folder}, or use another folder.`;
    expect(await thrownBy(() => makeFolder(path))).toMatchObject({
      code: 'not_writable',
      message: `${path} cannot be written: ${said}`,
    });
    const inHome = await thrownBy(() => makeFolder(path, { elsewhere: IN_HOME }));
    expect(inHome?.message).toMatch(/, or set SVC_HOME to another folder\.$/);
  });
});

describe('a file', () => {
  it('that cannot be written causes an error and leaves nothing', async () => {
    await chmod(folder, 0o555);
    const path = join(folder, 'a.json');
    expect((await thrownBy(() => replaceFile(path, 'x')))?.message).toBe(
      `${path} cannot be written: permission denied (EACCES). Change the owner or permissions of ${folder}, or use another folder.`,
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it('does not replace a folder', async () => {
    const path = join(folder, 'a.json');
    await mkdir(join(path, 'b'), { recursive: true });
    await expect(replaceFile(path, 'x')).rejects.toThrow(`the folder ${path} is in the way`);
    expect(await readdir(folder)).toEqual(['a.json']);
  });

  it('that is a lock names the folder without write permission', async () => {
    await chmod(folder, 0o555);
    const lock = () => withFileLock(join(folder, 'x.lock'), async () => 'in', IN_HOME);
    expect((await thrownBy(lock))?.message).toBe(
      `${folder} cannot be written: permission denied (EACCES). Change the owner or permissions of ${folder}, or set SVC_HOME to another folder.`,
    );
  });
});

describe('a file system error', () => {
  const translate = (code: string) =>
    (toNotWritable(Object.assign(new Error(code), { code }), join(folder, 'a', 'b')) as Error).message;

  it.each([
    [
      'EACCES',
      'permission denied (EACCES). Change the owner or permissions of FOLDER, or use another folder.',
    ],
    ['EPERM', 'permission denied (EPERM). Change the owner or permissions of FOLDER, or use another folder.'],
    ['EROFS', 'the file system is read-only (EROFS). Use another folder.'],
    ['ENOSPC', 'the disk is full (ENOSPC). Free up space, or use another folder.'],
    ['EDQUOT', 'your disk quota is used up (EDQUOT). Free up space, or use another folder.'],
    ['ENOENT', 'there is no such folder in FOLDER (ENOENT). Use another folder.'],
    ['ENAMETOOLONG', 'the name is too long (ENAMETOOLONG). Use another folder.'],
  ])('%s has a reason and a fix', (code, sentence) => {
    expect(translate(code)).toBe(
      `${join(folder, 'a', 'b')} cannot be written: ${sentence.replace('FOLDER', folder)}`,
    );
  });

  it('keeps its cause, and other errors are unchanged', () => {
    const full = Object.assign(new Error('full'), { code: 'ENOSPC' });
    expect(toNotWritable(full, folder)).toMatchObject({ status: 500, cause: full });
    for (const other of [new Error('x'), new ApiError('slug_taken', 'Taken.'), 'text'])
      expect(toNotWritable(other, folder)).toBe(other);
  });
});

describe('the check for free disk space', () => {
  it('throws with the needed space, the free space and a fix', () => {
    const path = join(folder, 'home', 'cloud');
    const asked = () => requireRoomForCloud(path, { elsewhere: IN_HOME, bytes: 1e18 });
    expect(asked).toThrow(expect.objectContaining({ code: 'not_writable' }));
    const sentence =
      /^The disk of (\S+) is full: a cloud needs 1000000000000 MB there to start, and [\d.]+ MB is free\. Make room there, or set SVC_HOME to another folder\.$/;
    expect(asked).toThrow(expect.objectContaining({ message: expect.stringMatching(sentence) }));
    expect(asked).toThrow(path);
  });

  it('passes when there is enough space', () => {
    expect(requireRoomForCloud(join(folder, 'cloud'), { bytes: 1 })).toBeUndefined();
  });
});
