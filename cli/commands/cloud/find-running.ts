// The cloud that runs on a data folder, found by its file or else by the lock that it holds.
import { setTimeout as sleep } from 'node:timers/promises';
import { type FolderOwner, findFolderOwner } from '../../../lib/cloud/index.js';
import { findCloudIn, type LocalCloud } from '../../../lib/sdk/local-cloud/index.js';

export interface Running {
  /** Null when it does not answer, or none runs. */
  cloud: LocalCloud | null;
  /** Of the folder, when it does not answer. */
  owner: FolderOwner | null;
}

const POLL_MS = 100;
const PATIENCE_MS = 5000;

/**
 * One that owns the folder and is not found is waited for: it starts, or somebody changed its cloud.json, which it
 * writes again within a second or two.
 */
export async function findRunning(folder: string, patienceMs = PATIENCE_MS): Promise<Running> {
  for (const until = performance.now() + patienceMs; ; await sleep(POLL_MS)) {
    const cloud = await findCloudIn(folder);
    const owner = cloud ? null : findFolderOwner(folder);
    if (cloud || !owner || performance.now() > until) return { cloud, owner };
  }
}
