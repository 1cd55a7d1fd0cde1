// A lock between processes, as a file that says who holds it and that its holder keeps fresh. It is freed by who took
// it, or taken over from a process that has died or hangs. Clocks are not compared: they may be set, and machines sleep.
import { randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { link, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../is-alive.js';
import { makeFolder } from './make-folder.js';
import { toNotWritable } from './not-writable.js';

interface LockPace {
  /** How often the holder shows that it is there. */
  freshMs?: number;
  /** How often those who wait look. */
  retryMs?: number;
  /** After how many looks at a lock that stays the same its holder is given up. */
  patience?: number;
}

interface Found {
  text: string;
  mtimeMs: number;
}

/** Runs `work` while nobody else holds the lock. `elsewhere` is what else one can do where none can be made. */
export async function withFileLock<T>(
  path: string,
  work: () => Promise<T>,
  elsewhere?: string,
  { freshMs = 1000, retryMs = 40, patience = 250 }: LockPace = {},
): Promise<T> {
  makeFolder(dirname(path), { mode: 0o700, elsewhere });
  const own = describeHolder();
  const findAbandoned = createWatch(path, patience);
  while (!(await take(path, own, elsewhere))) {
    const abandoned = await findAbandoned();
    if (abandoned) await remove(path, found => isSame(found, abandoned));
    else await sleep(retryMs);
  }
  const keepFresh = setInterval(() => void refresh(path, own), freshMs).unref();
  try {
    return await work();
  } finally {
    clearInterval(keepFresh);
    if ((await look(path))?.text === own) await remove(path, ({ text }) => text === own);
  }
}

async function take(path: string, own: string, elsewhere?: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(own);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw toNotWritable(error, dirname(path), elsewhere);
  }
}

/** A holder that slept may find its lock taken over: that one is left as it is. */
async function refresh(path: string, own: string): Promise<void> {
  if ((await look(path))?.text !== own) return;
  const now = new Date();
  await utimes(path, now, now).catch(() => {});
}

/** Each call is a look; it returns the lock when its holder is gone. */
function createWatch(path: string, patience: number): () => Promise<Found | null> {
  let last: Found | null = null;
  let looks = 0;
  return async () => {
    const found = await look(path);
    looks = found && last && isSame(found, last) ? looks + 1 : 0;
    last = found;
    return found && (looks >= patience || hasDied(found.text)) ? found : null;
  };
}

/** Moved away first and looked at again: if another process has taken it meanwhile, it is given back. */
async function remove(path: string, isIt: (found: Found) => boolean): Promise<void> {
  const aside = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  const found = await look(aside);
  if (found && !isIt(found)) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
}

async function look(path: string): Promise<Found | null> {
  try {
    const { mtimeMs } = await stat(path);
    return { mtimeMs, text: await readFile(path, 'utf8') };
  } catch {
    return null;
  }
}

function isSame(a: Found, b: Found): boolean {
  return a.text === b.text && a.mtimeMs === b.mtimeMs;
}

function describeHolder(): string {
  const token = randomBytes(8).toString('hex');
  return JSON.stringify({ token, pid: process.pid, place: findPlace() });
}

/** Known only of a process that would be seen from here. A pid that somebody else has now proves nothing. */
function hasDied(text: string): boolean {
  try {
    const { pid, place } = JSON.parse(text) as { pid: number; place: string };
    return place === findPlace() && !isAlive(pid);
  } catch {
    return false;
  }
}

/** Where a pid means the same process: containers may share a host's name, but not its processes. */
function findPlace(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}
