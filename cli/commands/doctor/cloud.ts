// Which cloud is meant, whether it answers, and where the one on this machine keeps its data.
import { join } from 'node:path';
import { createCloudClient } from '../../../lib/client/index.js';
import { type ChosenCloud, chooseCloud, type findLocalCloud } from '../../../lib/sdk/index.js';
import type { Io } from '../../command.js';
import type { Check } from './check.js';

export type LocalCloud = Awaited<ReturnType<typeof findLocalCloud>>;

const ANSWER_MS = 3000;

export async function checkCloud(home: string, env: Io['env'], local: LocalCloud): Promise<Check> {
  const name = 'cloud';
  try {
    const chosen = await chooseCloud(home, env);
    return chosen.url === null ? describeLocal(home, local) : await askRemote(chosen.url, chosen);
  } catch (error) {
    const hint =
      'Fix what names the cloud: SVC_CLOUD_URL, SVC_PRODUCTION_CLOUD_URL, or "current" in credentials.json.';
    return { name, status: 'problem', message: (error as Error).message, hint };
  }
}

function describeLocal(home: string, local: LocalCloud): Check {
  const data = `its data is in ${join(home, 'cloud')}`;
  const message = local
    ? `local, runs at ${local.url} (version ${local.version}, process ${local.pid}); ${data}`
    : `local, does not run: the first use starts it; ${data}`;
  return { name: 'cloud', status: 'ok', message, hint: null };
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
