// Which cloud is meant, whether it answers, and where the one on this machine keeps its data.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCloudClient } from '../../../lib/client/index.js';
import { cloudFile, findFault } from '../../../lib/contract/index.js';
import { type ChosenCloud, chooseCloud } from '../../../lib/sdk/index.js';
import { cloudFolder } from '../../../lib/sdk/local-cloud/index.js';
import type { Io } from '../../command.js';
import { askHealth } from '../cloud/ask-health.js';
import type { Running } from '../cloud/find-running.js';
import { describeSilentOwner, silentOwnerHint } from '../cloud/silent-owner.js';
import type { Check } from './check.js';

export interface LocalFinding extends Running {
  /** What was wrong with cloud.json when it was looked at first; null when nothing was. */
  fileFault: string | null;
  /** Why it cannot be told whether one runs. */
  lockFault: string | null;
}

const ANSWER_MS = 3000;
/** The cloud writes a cloud.json that was changed again within a second or two. */
const MENDING_MS = 4000;

export async function lookForCloud(home: string, patienceMs = MENDING_MS): Promise<LocalFinding> {
  const folder = cloudFolder(home);
  const fileFault = await findFileFault(join(folder, 'cloud.json'));
  try {
    // Needs the database's native code, which may be what is wrong here.
    const { findRunning } = await import('../cloud/find-running.js');
    return { ...(await findRunning(folder, patienceMs)), fileFault, lockFault: null };
  } catch (error) {
    const [lockFault] = (error as Error).message.split('\n');
    return { cloud: null, owner: null, fileFault, lockFault: lockFault! };
  }
}

/** One that is missing says nothing by itself. */
async function findFileFault(path: string): Promise<string | null> {
  try {
    return findFault(cloudFile, JSON.parse(await readFile(path, 'utf8')), 'It') && 'has another shape';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    return code ? `cannot be read (${code})` : 'is not valid JSON';
  }
}

export async function checkCloud(home: string, env: Io['env'], local: LocalFinding): Promise<Check> {
  const name = 'cloud';
  try {
    const chosen = await chooseCloud(home, env);
    if (chosen.url !== null) return await askRemote(chosen.url, chosen);
    return { name, ...((await findProblems(local)) ?? describeLocal(cloudFolder(home), local)) };
  } catch (error) {
    const hint =
      'Fix what names the cloud: SVC_CLOUD_URL, SVC_PRODUCTION_CLOUD_URL, or "current" in credentials.json.';
    return { name, status: 'problem', message: (error as Error).message, hint };
  }
}

/** Null for one that does not run, or says that it is well. */
async function findProblems({ cloud }: LocalFinding): Promise<Omit<Check, 'name'> | null> {
  const { problems = [] } = (cloud && (await askHealth(cloud))) ?? {};
  if (!cloud || problems.length === 0) return null;
  const message = `local, runs at ${cloud.url}. ${problems.map(problem => problem.message).join(' ')}`;
  return { status: 'problem', message, hint: 'Its log: "svc cloud logs".' };
}

function describeLocal(folder: string, found: LocalFinding): Omit<Check, 'name'> {
  const { cloud, owner, fileFault, lockFault } = found;
  const data = `its data is in ${folder}`;
  if (lockFault) return { status: 'problem', message: lockFault, hint: null };
  if (owner)
    return {
      status: 'problem',
      message: `local. ${describeSilentOwner(folder, owner)}`,
      hint: silentOwnerHint(folder, owner),
    };
  const state = cloud
    ? `runs at ${cloud.url} (version ${cloud.version}, process ${cloud.pid})`
    : 'does not run: the first use starts it';
  const message = `local, ${state}; ${data}`;
  if (fileFault === null) return { status: 'ok', message, hint: null };
  return {
    status: 'warning',
    message: `${message}; its cloud.json ${fileFault}`,
    hint: cloud ? 'The cloud has written it again.' : 'The next start writes it again.',
  };
}

async function askRemote(url: string, { isProduction }: ChosenCloud): Promise<Check> {
  const kind = isProduction ? ', production' : '';
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const { version } = await createCloudClient({ baseUrl: url }).getCloud(undefined, { signal });
    return { name: 'cloud', status: 'ok', message: `${url} answers (version ${version}${kind})`, hint: null };
  } catch (error) {
    const { name, message } = error as Error;
    return {
      name: 'cloud',
      status: 'warning',
      message: name === 'TimeoutError' ? `${url} does not answer in ${ANSWER_MS / 1000} s` : message,
      hint: 'Check the address and the network; without SVC_CLOUD_URL the cloud is the local one or the one signed in to last.',
    };
  }
}
