// Which cloud is meant: `SVC_CLOUD_URL`, else the one that was signed in to last, else the one on this machine.

import { assertSecureUrl } from '../../client/index.js';
import { ApiError } from '../../contract/index.js';
import type { Env } from '../files/home.js';
import { readCredentialsFile } from './credentials.js';

/** `url` is null for the local cloud, whose address stands in its own file. */
export interface ChosenCloud {
  /** What its credentials lie under: `local`, or its origin. */
  key: string;
  url: string | null;
}

export async function chooseCloud(home: string, env: Env): Promise<ChosenCloud> {
  if (env.SVC_CLOUD_URL) return toCloud(env.SVC_CLOUD_URL, 'SVC_CLOUD_URL');
  const current = (await readCredentialsFile(home))?.current;
  if (current === undefined || current === 'local') return { key: 'local', url: null };
  return toCloud(current, 'credentials.json');
}

function toCloud(address: string, where: string): ChosenCloud {
  try {
    const { origin } = new URL(assertSecureUrl(address));
    return { key: origin, url: origin };
  } catch (cause) {
    throw new ApiError('invalid_value', `${where}: ${(cause as Error).message}`, { param: where, cause });
  }
}
