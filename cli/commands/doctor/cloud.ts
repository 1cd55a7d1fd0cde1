// Which cloud is in use, whether it responds, and where the local one keeps its data.
import { readFile } from 'node:fs/promises';
import { createCloudClient } from '../../../lib/client/index.js';
import { type Clock, realClock } from '../../../lib/clock/index.js';
import { cloudFile, findFault } from '../../../lib/contract/index.js';
import { type ChosenCloud, chooseCloud } from '../../../lib/sdk/index.js';
import { cloudFolder } from '../../../lib/sdk/local-cloud/index.js';
import { cloudFileIn } from '../../../lib/system/index.js';
import type { Io } from '../../command.js';
import { askHealth, describeSilentOwner, type Running, silentOwnerHint } from '../cloud/local-cloud.js';
import { type Check, outcomesOf } from './check.js';

interface LocalFinding extends Running {
  /** What was wrong with cloud.json when first read; null if nothing. */
  fileFault: string | null;
  /** Why the cloud's state cannot be determined; null if it can. */
  lockFault: string | null;
}

const ANSWER_MS = 3000;
/** The cloud rewrites a changed cloud.json within a second or two. */
const REWRITE_MS = 4000;

export async function lookForCloud(home: string, clock: Clock = realClock): Promise<LocalFinding> {
  const folder = cloudFolder(home);
  const fileFault = await findFileFault(cloudFileIn(folder));
  try {
    // Loads the database's native code, which may be the problem here.
    const { findRunning } = await import('../cloud/local-cloud.js');
    return { ...(await findRunning(folder, clock, REWRITE_MS)), fileFault, lockFault: null };
  } catch (error) {
    const [lockFault] = (error as Error).message.split('\n');
    return { cloud: null, owner: null, fileFault, lockFault: lockFault! };
  }
}

/** A missing file is not a fault. */
async function findFileFault(path: string): Promise<string | null> {
  try {
    return findFault(cloudFile, JSON.parse(await readFile(path, 'utf8')), 'It') && 'has an unexpected format';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    return code ? `cannot be read (${code})` : 'is not valid JSON';
  }
}

export async function checkCloud(
  home: string,
  env: Io['env'],
  local: LocalFinding,
  clock: Clock = realClock,
): Promise<Check> {
  try {
    const chosen = await chooseCloud(home, env);
    if (chosen.url !== null) return await askRemote(chosen.url, chosen, clock);
    return (await findProblems(local)) ?? describeLocal(cloudFolder(home), local);
  } catch (error) {
    const hint = 'Check SVC_CLOUD_URL, SVC_PRODUCTION_CLOUD_URL and "current" in credentials.json.';
    return problem((error as Error).message, hint);
  }
}

const { ok, warning, problem } = outcomesOf('cloud');

/** Null if the cloud is not running or reports no problems. */
async function findProblems({ cloud }: LocalFinding): Promise<Check | null> {
  const { problems = [] } = (cloud && (await askHealth(cloud))) ?? {};
  if (!cloud || problems.length === 0) return null;
  const messages = problems.map(({ message }) => message).join(' ');
  return problem(`local, running at ${cloud.url}. ${messages}`, 'See "svc cloud logs".');
}

function describeLocal(folder: string, found: LocalFinding): Check {
  const { cloud, owner, fileFault, lockFault } = found;
  if (lockFault) return problem(lockFault, null);
  if (owner) return problem(`local. ${describeSilentOwner(folder, owner)}`, silentOwnerHint(owner));
  const state = cloud
    ? `running at ${cloud.url} (version ${cloud.version}, process ${cloud.pid})`
    : 'not running (starts when needed)';
  const message = `local, ${state}; data in ${folder}`;
  if (fileFault === null) return ok(message);
  return warning(
    `${message}; its cloud.json ${fileFault}`,
    cloud ? 'The cloud has rewritten it.' : 'The next start rewrites it.',
  );
}

async function askRemote(url: string, { isProduction }: ChosenCloud, clock: Clock): Promise<Check> {
  const kind = isProduction ? ', production' : '';
  try {
    const signal = clock.deadline(ANSWER_MS);
    const { version } = await createCloudClient({ baseUrl: url }).getCloud(undefined, { signal });
    return ok(`${url} is responding (version ${version}${kind})`);
  } catch (error) {
    const { name, message } = error as Error;
    return warning(
      name === 'TimeoutError' ? `${url} did not respond within ${ANSWER_MS / 1000} s` : message,
      'Check the URL and your network. Without SVC_CLOUD_URL, svc uses the last cloud you signed in to, or the local one.',
    );
  }
}
