// From the environment to a cloud that answers.
import type { Clock } from '../../clock/index.js';
import { ApiError } from '../../contract/index.js';
import { noteLocalCloud } from '../credentials/note-cloud.js';
import type { Env } from '../files/home.js';
import {
  cloudFolder,
  ensureLocalCloud,
  findLocalCloud,
  type LocalCloud,
  wasCloudStopped,
} from '../local-cloud/index.js';
import { type ChosenCloud, chooseCloud } from './choose-cloud.js';

/** A cloud that answers. Only the local one has a `secret`. */
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
  onCloudStart?: ((url: string) => void) | undefined;
  clock: Clock;
}

export function createReach({ home, env, onCloudStart, clock }: ReachOptions): Reach {
  const choose = () => chooseCloud(home, env);
  let hasReachedLocal = false;
  const isCloudStopped = () => hasReachedLocal && wasCloudStopped(cloudFolder(home));

  async function reach(): Promise<ReachedCloud> {
    const { key, url } = await choose();
    if (url !== null) return { key, url, secret: null };
    const found = await reachLocal();
    hasReachedLocal = true;
    await noteLocalCloud(home, found);
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
    return ensureLocalCloud({ home, env, onStart: onCloudStart, clock });
  }

  return { choose, reach, isCloudStopped };
}
