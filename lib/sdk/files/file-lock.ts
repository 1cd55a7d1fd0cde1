// A lock between processes: a file that names its holder, who keeps touching it. The holder releases it, or others take
// it over if the holder has died or hangs. Clocks are never compared: they can be changed, and machines sleep.
import { createHash, randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Clock, realClock } from '../../clock/index.js';
import { findPlace, isAlive } from '../processes.js';
import { makeFolder } from './files.js';
import { toNotWritable } from './not-writable.js';

/** How often the holder touches the file. */
const FRESH_MS = 1000;
/** How often waiting processes look. */
const LOOK_MS = 40;
/** How many looks at an unchanged lock before it counts as abandoned. */
const PATIENCE = 250;

interface Found {
  text: string;
  mtimeMs: number;
}

interface LockOptions {
  /** The alternative to suggest if the lock file cannot be created. */
  elsewhere?: string;
  /** A folder around it that has to exist. */
  within?: string;
  /** Ends the wait for another holder. */
  signal?: AbortSignal;
  /** Called once if another holder is waited for. */
  onWait?: () => void;
  clock?: Clock;
}

/** Runs `work` while holding the lock. */
export async function withFileLock<T>(
  path: string,
  work: () => Promise<T>,
  { elsewhere, within, signal, onWait, clock = realClock }: LockOptions = {},
): Promise<T> {
  makeFolder(dirname(path), { mode: 0o700, elsewhere, within });
  const own = describeHolder();
  const findAbandoned = createWatch(path);
  const takeAway = createTakeover(path, own);
  let waits = 0;
  while (!(await acquire(path, own, elsewhere))) {
    const abandoned = await findAbandoned();
    const isFree = abandoned && (await takeAway(abandoned));
    if (isFree) continue;
    if (waits++ === 0) onWait?.();
    await clock.sleep(LOOK_MS, signal);
  }
  const keepFresh = clock.every(FRESH_MS, () => void refresh(path, own));
  try {
    return await work();
  } finally {
    keepFresh.stop();
    if ((await look(path))?.text === own) await remove(path, own);
  }
}

async function acquire(path: string, own: string, elsewhere?: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(own);
    } catch (error) {
      // Nobody could tell whose an empty lock is.
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw toNotWritable(error, dirname(path), elsewhere);
  }
}

/** After the machine slept, the lock may belong to someone else, and is then left alone. */
async function refresh(path: string, own: string): Promise<void> {
  if ((await look(path))?.text !== own) return;
  const now = new Date();
  await utimes(path, now, now).catch(() => {});
}

/** Each call is one look; returns the lock if its holder is gone. */
function createWatch(path: string): () => Promise<Found | null> {
  let last: Found | null = null;
  let looks = 0;
  return async () => {
    const found = await look(path);
    looks = found && last && isSame(found, last) ? looks + 1 : 0;
    last = found;
    return found && (looks >= PATIENCE || hasDied(found.text)) ? found : null;
  };
}

/**
 * Removes an abandoned lock. Of several that found it, one at a time may: with an older look, the others would remove the lock of
 * who has taken it over meanwhile. What says whose turn it is can be abandoned, too.
 */
function createTakeover(path: string, own: string): (abandoned: Found) => Promise<boolean> {
  let others: { turn: string; findAbandoned: ReturnType<typeof createWatch> } | null = null;
  return async abandoned => {
    const name = createHash('sha256').update(`${abandoned.mtimeMs} ${abandoned.text}`);
    const turn = `${path}.${name.digest('hex').slice(0, 16)}`;
    if (!(await acquire(turn, own))) {
      if (others?.turn !== turn) others = { turn, findAbandoned: createWatch(turn) };
      if (await others.findAbandoned()) await rm(turn, { force: true });
      return false;
    }
    const found = await look(path);
    if (found && isSame(found, abandoned)) await rm(path, { force: true });
    await rm(turn, { force: true });
    return true;
  };
}

/** Moves the lock aside and looks again: if another process took it meanwhile, it is put back. */
async function remove(path: string, own: string): Promise<void> {
  const aside = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  const found = await look(aside);
  if (found && found.text !== own) await link(aside, path).catch(() => {});
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

/** Certain only for processes visible from here. A reused PID counts as alive. */
function hasDied(text: string): boolean {
  try {
    const { pid, place } = JSON.parse(text) as { pid: number; place: string };
    return place === findPlace() && !isAlive(pid);
  } catch {
    return false;
  }
}
