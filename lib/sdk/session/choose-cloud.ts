// Which cloud to use: `SVC_CLOUD_URL`, else the one last signed in to, else the local cloud.
import { assertSecureUrl } from '../../client/index.js';
import { ApiError } from '../../contract/index.js';
import { readCredentialsFile } from '../credentials/credentials.js';
import type { Env } from '../files/home.js';

/** `url` is null for the local cloud, whose URL is in its own file. */
export interface ChosenCloud {
  /** The key of its credentials: `local` or its origin. */
  key: string;
  url: string | null;
  /** It is the cloud named by `SVC_PRODUCTION_CLOUD_URL`, whose host is not shown. */
  isProduction: boolean;
}

export async function chooseCloud(home: string, env: Env): Promise<ChosenCloud> {
  const origin = await chooseOrigin(home, env);
  if (origin === null) return { key: 'local', url: null, isProduction: false };
  return { key: origin, url: origin, isProduction: origin === productionOrigin(env) };
}

async function chooseOrigin(home: string, env: Env): Promise<string | null> {
  if (env.SVC_CLOUD_URL) return toOrigin(env.SVC_CLOUD_URL, 'SVC_CLOUD_URL');
  const current = (await readCredentialsFile(home))?.current;
  return current === undefined || current === 'local' ? null : toOrigin(current, 'credentials.json');
}

function productionOrigin({ SVC_PRODUCTION_CLOUD_URL: address }: Env): string | null {
  return address ? toOrigin(address, 'SVC_PRODUCTION_CLOUD_URL') : null;
}

function toOrigin(address: string, where: string): string {
  try {
    return new URL(assertSecureUrl(address)).origin;
  } catch (cause) {
    throw new ApiError('invalid_value', `${where}: ${(cause as Error).message}`, { param: where, cause });
  }
}
