// Has the local cloud run: finds it, or starts it. Of many that are started at once one owns the data folder, and the
// others end when they find it there.
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import packageJson from '../../../package.json' with { type: 'json' };
import { createCloudClient } from '../../client/index.js';
import { ApiError } from '../../contract/index.js';
import type { Env } from '../files/home.js';
import { makeFolder } from '../files/make-folder.js';
import { IN_HOME } from '../files/not-writable.js';
import { cloudFolder, findCloudIn, type LocalCloud, wasCloudStopped } from './find.js';
import { logPath, readLogText, toLogText } from './log-text.js';
import { launch } from './program.js';
import { createRestartPace, type RestartPace } from './restart-pace.js';
import { stopLocalCloud } from './stop.js';

export interface EnsureOptions {
  home: string;
  env: Env;
  /** Told when it did not run, and was started. */
  onStart?: ((url: string) => void) | undefined;
  /** Its data folder, when it is not the one of this home. */
  folder?: string | undefined;
  /** What else `svc cloud start` is told. */
  args?: readonly string[];
  /** A user asks for this start: it is made, however the clouds before it ended. */
  isAsked?: boolean;
  /** In milliseconds, as `performance.now` counts them. */
  now?: () => number;
}

const POLL_MS = 50;
const START_MS = 120_000;
const LAST_LINES = 12;

const starting = new Map<string, Promise<LocalCloud>>();
const paces = new Map<string, RestartPace>();

/** The local cloud, which answers. Those who ask at once in this process wait for the same start. */
export function ensureLocalCloud(options: EnsureOptions): Promise<LocalCloud> {
  const folder = options.folder ?? cloudFolder(options.home);
  const same = starting.get(folder);
  if (same) return same;
  const started = ensure(folder, options).finally(() => starting.delete(folder));
  starting.set(folder, started);
  return started;
}

async function ensure(folder: string, options: EnsureOptions): Promise<LocalCloud> {
  const found = await findCloudIn(folder);
  if (found && !(await isToBeReplaced(found))) return found;
  if (found) await stopLocalCloud(found);
  const cloud = await startInPace(folder, options);
  options.onStart?.(cloud.url);
  return cloud;
}

/** One that ends again and again is not started at each request. */
async function startInPace(folder: string, options: EnsureOptions): Promise<LocalCloud> {
  const pace = paces.get(folder) ?? createRestartPace();
  paces.set(folder, pace);
  const { isAsked, now = () => performance.now() } = options;
  if (isAsked) pace.reset();
  pace.begin(now(), wasCloudStopped(folder));
  try {
    return await start(folder, options);
  } catch (error) {
    pace.fail(error);
    throw error;
  }
}

/** One of an older version is, as long as it has nothing to do. */
async function isToBeReplaced({ url, version, secret }: LocalCloud): Promise<boolean> {
  if (version.localeCompare(packageJson.version, 'en', { numeric: true }) >= 0) return false;
  try {
    return (await createCloudClient({ baseUrl: url }).getHealth(secret)).idle === true;
  } catch {
    return false;
  }
}

async function start(folder: string, { home, env, args = [] }: EnsureOptions): Promise<LocalCloud> {
  const output = logPath(folder);
  const elsewhere = folder === cloudFolder(home) ? IN_HOME : undefined;
  makeFolder(dirname(output), { mode: 0o700, elsewhere });
  const before = (await stat(output).catch(() => null))?.size ?? 0;
  const child = await launch({
    args: ['cloud', 'start', '--foreground', '--data', folder, ...args],
    env: { ...env, SVC_HOME: home },
    folder,
    output,
    elsewhere,
  });
  let isGone = child.pid === undefined;
  for (const event of ['exit', 'error']) {
    child.once(event, () => {
      isGone = true;
    });
  }
  for (const until = Date.now() + START_MS; Date.now() < until; await sleep(POLL_MS)) {
    const wasGone = isGone;
    const found = await findCloudIn(folder);
    if (found) return found;
    if (wasGone) throw await describeFailure('did not start', output, before);
  }
  child.kill('SIGKILL');
  throw await describeFailure(`did not answer within ${START_MS / 1000} s`, output, before);
}

async function describeFailure(what: string, log: string, before: number): Promise<ApiError> {
  const { text } = await readLogText(log, before);
  const last = text.split('\n').filter(Boolean).slice(-LAST_LINES).map(toLogText);
  const said = last.length > 0 ? `The last that it said:\n${last.join('\n')}\n` : '';
  return new ApiError('cloud_unreachable', `The local cloud ${what}. ${said}Its log: ${log}`);
}
