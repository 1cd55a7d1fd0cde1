// Selects a cloud from the environment and connects to it.
import { assertSecureUrl } from '../../client/index.js';
import type { Clock } from '../../clock/index.js';
import { ApiError } from '../../contract/index.js';
import { keepResult } from '../../system/index.js';
import { noteCloud, readCredentialsFile } from '../credentials.js';
import type { Env } from '../files/files.js';
import {
  cloudFolder,
  ensureLocalCloud,
  findLocalCloud,
  type LocalCloud,
  wasCloudStopped,
} from '../local-cloud/index.js';

/** `url` is null for the local cloud, whose URL is in its own file. */
export interface ChosenCloud {
  /** The key of its credentials: `local` or its origin. */
  key: string;
  url: string | null;
  /** It is the cloud named by `SVC_PRODUCTION_CLOUD_URL`, whose host is not shown. */
  isProduction: boolean;
}

const LOCAL: ChosenCloud = { key: 'local', url: null, isProduction: false };

/** A cloud that responds. Only the local one has a `secret`. */
export interface ReachedCloud {
  key: string;
  url: string;
  secret: string | null;
}

export interface Reach {
  /** Which cloud to use. Makes no requests. */
  choose(): Promise<ChosenCloud>;
  /** Reaches the cloud. Starts the local one if needed, unless it was stopped after we had reached it. */
  reach(): Promise<ReachedCloud>;
  /** Whether the local cloud was stopped after we had reached it. It then must not be started again unasked. */
  isCloudStopped(): boolean;
}

interface ReachOptions {
  home: string;
  env: Env;
  onCloudStart?: ((message: string) => void) | undefined;
  isLocal?: boolean | undefined;
  keepsCloud?: boolean | undefined;
  clock: Clock;
}

export function createReach(options: ReachOptions): Reach {
  const { home, env, onCloudStart, isLocal = false, keepsCloud = false, clock } = options;
  const chooseNow = async () => (isLocal ? LOCAL : chooseCloud(home, env));
  const choose = keepsCloud ? keepResult(chooseNow) : chooseNow;
  let hasReachedLocal = false;
  const isCloudStopped = () => hasReachedLocal && wasCloudStopped(cloudFolder(home));

  async function reach(): Promise<ReachedCloud> {
    const { key, url } = await choose();
    if (url !== null) return { key, url, secret: null };
    const found = await reachLocal();
    hasReachedLocal = true;
    await noteCloud(home, key, found);
    return { key, url: found.url, secret: found.secret };
  }

  async function reachLocal(): Promise<LocalCloud> {
    // The first time, always go through `ensureLocalCloud`, which may replace an older version.
    const found = hasReachedLocal ? await findLocalCloud(home, clock) : null;
    if (found) return found;
    if (isCloudStopped())
      throw new ApiError(
        'cloud_unreachable',
        'The local cloud was stopped. Run "svc cloud start" to start it again; its jobs will continue.',
      );
    const onStart = (url: string, portNotice: string | null) =>
      onCloudStart?.([`Started the local cloud at ${url}.`, portNotice].filter(Boolean).join(' '));
    return ensureLocalCloud({ home, env, onStart, clock });
  }

  return { choose, reach, isCloudStopped };
}

/** The cloud to use: `SVC_CLOUD_URL`, or the one last signed in to, or the local cloud. */
export async function chooseCloud(home: string, env: Env): Promise<ChosenCloud> {
  const origin = await chooseOrigin(home, env);
  if (origin === null) return LOCAL;
  return { key: origin, url: origin, isProduction: origin === originIn(env, 'SVC_PRODUCTION_CLOUD_URL') };
}

async function chooseOrigin(home: string, env: Env): Promise<string | null> {
  const named = originIn(env, 'SVC_CLOUD_URL');
  if (named !== null) return named;
  const current = (await readCredentialsFile(home))?.current;
  return current === undefined || current === 'local' ? null : toOrigin(current, 'credentials.json');
}

/** Null if the variable is not set. */
function originIn(env: Env, name: 'SVC_CLOUD_URL' | 'SVC_PRODUCTION_CLOUD_URL'): string | null {
  const address = env[name];
  return address ? toOrigin(address, name, assertRootUrl) : null;
}

/** Requests go to the host's own paths, so any other part would be dropped. */
function assertRootUrl(address: string): string {
  const { href, origin } = new URL(assertSecureUrl(address));
  if (href === `${origin}/`) return address;
  throw new TypeError(`"${address}" is not a valid cloud URL: it must end after the host, as in ${origin}.`);
}

function toOrigin(address: string, where: string, assert = assertSecureUrl): string {
  try {
    return new URL(assert(address)).origin;
  } catch (cause) {
    throw new ApiError('invalid_value', `${where}: ${(cause as Error).message}`, { param: where, cause });
  }
}
