// A lock between processes, as a file that its holder keeps fresh: one that is stale was left by a process that died.
import { randomBytes } from 'node:crypto';
import { link, open, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from './make-folder.js';
import { toNotWritable } from './not-writable.js';

const FRESH_MS = 1000;
const STALE_MS = 10_000;
const RETRY_MS = 40;

/** Runs `work` while nobody else holds the lock. `elsewhere` is what else one can do where none can be made. */
export async function withFileLock<T>(path: string, work: () => Promise<T>, elsewhere?: string): Promise<T> {
  makeFolder(dirname(path), { mode: 0o700, elsewhere });
  while (!(await take(path, elsewhere))) {
    if (await isStale(path)) await removeStale(path);
    else await sleep(RETRY_MS);
  }
  const keepFresh = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => {});
  }, FRESH_MS).unref();
  try {
    return await work();
  } finally {
    clearInterval(keepFresh);
    await rm(path, { force: true });
  }
}

async function take(path: string, elsewhere?: string): Promise<boolean> {
  try {
    await (await open(path, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw toNotWritable(error, dirname(path), elsewhere);
  }
}

async function isStale(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > STALE_MS;
}

/** Moved away first and looked at again: meanwhile another process may have taken it over, and it is given back. */
async function removeStale(path: string): Promise<void> {
  const aside = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  if (!(await isStale(aside))) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
}
