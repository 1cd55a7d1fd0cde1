// Finds the cloud that runs on a data folder, by its cloud.json or by the lock it holds.
import { type Clock, realClock } from '../../../lib/clock/index.js';
import { type FolderOwner, findFolderOwner } from '../../../lib/cloud/index.js';
import { findCloudIn, type LocalCloud } from '../../../lib/sdk/local-cloud/index.js';

export interface Running {
  /** Null when none is running or it does not respond. */
  cloud: LocalCloud | null;
  /** The process that owns the folder, when its cloud does not respond. */
  owner: FolderOwner | null;
}

const POLL_MS = 100;
const PATIENCE_MS = 5000;

/**
 * Waits for a cloud that owns the folder but is not found: it is starting, or its cloud.json was changed, which it
 * rewrites within a second or two. Throws if its certificate is not trusted.
 */
export async function findRunning(
  folder: string,
  clock: Clock = realClock,
  patienceMs = PATIENCE_MS,
): Promise<Running> {
  for (const until = clock.elapsed() + patienceMs; ; await clock.sleep(POLL_MS)) {
    const cloud = await findCloudIn(folder);
    const owner = cloud ? null : findFolderOwner(folder);
    if (cloud || !owner || clock.elapsed() > until) return { cloud, owner };
  }
}
