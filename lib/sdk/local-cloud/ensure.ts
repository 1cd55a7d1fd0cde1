// Makes sure the local cloud is running: finds it or starts it. If several are started at once, one owns the data
// folder and the others exit when they find it.

import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { createCloudClient } from '../../client/index.js';
import { type Clock, realClock } from '../../clock/index.js';
import { ApiError, describePort } from '../../contract/index.js';
import { doubled, findPackage, findSvc, isSource, logFileIn, outputFileIn } from '../../system/index.js';
import { type Env, makeFolder } from '../files/files.js';
import { IN_HOME, requireRoomForCloud, toNotWritable } from '../files/not-writable.js';
import {
  cloudFolder,
  explainUnreachable,
  findCloudIn,
  type LocalCloud,
  lookIn,
  readCloudFile,
  wasCloudStopped,
} from './find.js';
import { type LogMarks, markLogs, readOwnLines } from './log.js';
import { stopLocalCloud } from './stop.js';

interface EnsureOptions {
  home: string;
  env: Env;
  /** Called if this call started the cloud. `portNotice`: what callers should know of its port, if it is another one than before. */
  onStart?: ((url: string, portNotice: string | null) => void) | undefined;
  /** The data folder. Default: the one in `home`. */
  folder?: string | undefined;
  /** Extra arguments for `svc cloud start`. */
  args?: readonly string[];
  /** A user asked for this start: do it now, however earlier clouds ended. */
  isAsked?: boolean;
  clock?: Clock;
}

/** The options with defaults applied. */
type Start = EnsureOptions & { folder: string; clock: Clock };

const POLL_MS = 50;
const START_MS = 120_000;
/** How long a cloud that runs may be unreachable by its public name. */
const PUBLIC_MS = 10_000;
const LAST_LINES = 12;

const starting = new Map<string, Promise<LocalCloud>>();
const paces = new Map<string, ReturnType<typeof createRestartPace>>();

/** The local cloud, ready to answer. Concurrent calls in this process share one start. */
export function ensureLocalCloud(options: EnsureOptions): Promise<LocalCloud> {
  const { home, folder = cloudFolder(home), clock = realClock } = options;
  const same = starting.get(folder);
  if (same) return same;
  const started = ensure({ ...options, folder, clock }).finally(() => starting.delete(folder));
  starting.set(folder, started);
  return started;
}

async function ensure(options: Start): Promise<LocalCloud> {
  const { folder, clock } = options;
  const found = await findCloudIn(folder, clock);
  if (found && !(await shouldReplace(found, folder, clock))) return found;
  if (found) await stopLocalCloud(found, clock);
  return startInPace(options);
}

/** Limits restarts of a cloud that keeps exiting. */
async function startInPace(options: Start): Promise<LocalCloud> {
  const { folder, clock, isAsked } = options;
  const pace = paces.get(folder) ?? createRestartPace();
  paces.set(folder, pace);
  if (isAsked) pace.reset();
  pace.begin(clock.elapsed(), wasCloudStopped(folder));
  try {
    return await start(options);
  } catch (error) {
    pace.fail(error);
    throw error;
  }
}

/** True for an idle cloud of an older version, if this version can open its database. */
async function shouldReplace(cloud: LocalCloud, folder: string, clock: Clock): Promise<boolean> {
  const { url, version, secret } = cloud;
  if (version.localeCompare(packageJson.version, 'en', { numeric: true }) >= 0) return false;
  try {
    const { idle } = await createCloudClient({ baseUrl: url, clock }).getHealth(secret);
    // Imported lazily because it loads the database.
    return idle === true && (await (await import('../../cloud/store/own-tables.js')).hasOwnTables(folder));
  } catch {
    return false;
  }
}

async function start({ home, env, folder, args = [], clock, onStart }: Start): Promise<LocalCloud> {
  const elsewhere = folder === cloudFolder(home) ? IN_HOME : undefined;
  requireRoomForCloud(folder, { elsewhere });
  makeFolder(dirname(outputFileIn(folder)), { mode: 0o700, elsewhere });
  const before = await markLogs(folder);
  const former = await readCloudFile(folder);
  const words = ['cloud', 'start', '--foreground', '--data', folder, ...args];
  const child = await launch(words, { ...env, SVC_HOME: home }, folder, elsewhere);
  let isGone = child.pid === undefined;
  for (const event of ['exit', 'error']) {
    child.once(event, () => {
      isGone = true;
    });
  }
  let reachableAt = clock.elapsed();
  for (const until = clock.elapsed() + START_MS; clock.elapsed() < until; await clock.sleep(POLL_MS)) {
    const wasGone = isGone;
    const look = await lookIn(folder, clock).catch((error: unknown) => {
      child.kill('SIGKILL');
      throw error;
    });
    const { cloud } = look;
    if (cloud) {
      // Otherwise the started process has found one.
      if (cloud.pid === child.pid) onStart?.(cloud.url, describePort(former, cloud));
      return cloud;
    }
    if (wasGone) throw await describeFailure('did not start', folder, before);
    const unreachable = explainUnreachable(look);
    if (unreachable === null) reachableAt = clock.elapsed();
    else if (clock.elapsed() - reachableAt > PUBLIC_MS) {
      // Another process has the folder, for which this one would wait.
      if (look.file?.pid !== child.pid) child.kill();
      throw new ApiError('cloud_unreachable', unreachable);
    }
  }
  child.kill('SIGKILL');
  throw await describeFailure(`did not answer within ${START_MS / 1000} s`, folder, before);
}

/**
 * Starts svc as a process that outlives the terminal: detached, without input, with stderr appended to the cloud's output file.
 * From source it runs in the package, where child processes can find tsx.
 */
async function launch(words: readonly string[], env: Env, folder: string, elsewhere: string | undefined) {
  const output = outputFileIn(folder);
  const file = await open(output, 'a', 0o600).catch(error => {
    throw toNotWritable(error, output, elsewhere);
  });
  try {
    const child = spawn(process.execPath, [...findSvc(), ...words], {
      cwd: isSource ? findPackage() : folder,
      env,
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'ignore', file.fd],
    });
    child.unref();
    return child;
  } finally {
    await file.close();
  }
}

async function describeFailure(what: string, folder: string, before: LogMarks): Promise<ApiError> {
  const last = (await readOwnLines(folder, before)).slice(-LAST_LINES);
  const lastOutput = last.length > 0 ? `Last output:\n${last.join('\n')}\n` : '';
  return new ApiError('cloud_unreachable', `The local cloud ${what}. ${lastOutput}Log: ${logFileIn(folder)}`);
}

const WAITS = { firstMs: 1000, longestMs: 30_000 };
/** A cloud that ran for this long is restarted without a wait. */
const STEADY_MS = 60_000;

/**
 * Paces restarts of a cloud that keeps exiting: at once the first time, then after a wait that doubles. Intended exits do
 * not count. State is per process, because one process keeps asking. @internal
 */
export function createRestartPace() {
  let starts = 0;
  let last = Number.NEGATIVE_INFINITY;
  let failure: unknown;
  return {
    /** Records a start; throws if it is too early. `wasStopped`: the last cloud was stopped on purpose. */
    begin(now: number, wasStopped = false): void {
      // After a failed start, the mark is from the previous cloud and says nothing about this exit.
      const wasIntended = wasStopped && failure === undefined;
      if (wasIntended || now - last > STEADY_MS) starts = 0;
      const wait = starts < 2 ? 0 : doubled(starts - 2, WAITS);
      if (now - last < wait) throw failure ?? notAgain(last + wait - now);
      starts++;
      last = now;
      failure = undefined;
    },
    /** A user asked for the start: forgets earlier exits. */
    reset(): void {
      starts = 0;
      failure = undefined;
    },
    /** Records why the last start failed, to be thrown if it is too early for another. */
    fail(error: unknown): void {
      failure = error;
    },
  };
}

function notAgain(waitMs: number): ApiError {
  return new ApiError(
    'cloud_unreachable',
    `The local cloud keeps exiting soon after it starts. It can be restarted in ${Math.ceil(waitMs / 1000)} s; see "svc cloud logs".`,
  );
}
