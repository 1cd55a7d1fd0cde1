// A small disk of its own, in memory: mounted for as long as something runs on it.
import { execFile } from 'node:child_process';
import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SIZE = '192m';

export async function onSmallDisk(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-small-disk-'));
  await run('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'svc-small-disk', folder]).catch(error => {
    throw new Error(
      `A small disk cannot be mounted here: ${error.message}\nAs another user than root: unshare -rm npm run kill-loop -- --disk`,
    );
  });
  try {
    await work(folder);
  } finally {
    await run('umount', ['--lazy', folder]);
    await rmdir(folder);
  }
}
