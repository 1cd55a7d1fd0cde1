// A local cloud as commands see it: its folder, its health, and how it is described.
import { resolve } from 'node:path';
import { createCloudClient } from '../../../lib/client/index.js';
import type { CloudHealth } from '../../../lib/contract/index.js';
import { cloudFolder, findHome, type LocalCloud } from '../../../lib/sdk/local-cloud/index.js';
import type { Input, Io } from '../../command.js';

/** The data folder that a cloud command works on. */
export function findFolder({ values }: Pick<Input, 'values'>, { env, cwd }: Pick<Io, 'env' | 'cwd'>): string {
  return typeof values.data === 'string' ? resolve(cwd, values.data) : cloudFolder(findHome(env));
}

/** Null when it does not respond. */
export async function askHealth({
  url,
  secret,
}: Pick<LocalCloud, 'url' | 'secret'>): Promise<CloudHealth | null> {
  return createCloudClient({ baseUrl: url })
    .getHealth(secret)
    .catch(() => null);
}

export type About = Omit<LocalCloud, 'secret'>;

/** A running cloud as `--json` shows it. */
export function describeCloud(cloud: About, folder: string) {
  const { url, port, pid, version, baseModel, deploymentDomain } = cloud;
  return { url, port, pid, version, baseModel, deploymentDomain, folder };
}

/** "1 running and 2 queued jobs"; null for none. */
export function describeJobCounts({ running, queued }: { running: number; queued: number }): string | null {
  const counts = [running > 0 && `${running} running`, queued > 0 && `${queued} queued`].filter(Boolean);
  if (counts.length === 0) return null;
  return `${counts.join(' and ')} ${running + queued === 1 ? 'job' : 'jobs'}`;
}
