// A disk that fills up during an upload: a small file system that only this test's process sees.
import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { findTestProgram } from '../../support/test-program.js';

/** Whether we may mount private file systems. */
function mayMount(): boolean {
  try {
    execFileSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

it.runIf(mayMount())(
  'an upload that fills the disk answers storage_unavailable and leaves no files',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-full-disk-'));
    const { path, execArgv } = await findTestProgram(fileURLToPath(new URL('fill-disk.ts', import.meta.url)));
    try {
      const mount = 'mkdir "$0/uploads" && mount -t tmpfs -o size=4m tmpfs "$0/uploads" && exec "$@"';
      const under = ['-rm', 'sh', '-c', mount, folder, process.execPath, ...execArgv, path, folder];
      const { stdout } = await promisify(execFile)('unshare', under);
      expect(JSON.parse(stdout)).toEqual({
        ...{ code: 'storage_unavailable', status: 503, headers: { 'retry-after': '30' } },
        ...{ left: [], after: { bytes: 64 * 1024 } },
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
