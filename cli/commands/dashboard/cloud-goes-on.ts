// What stays behind when the dashboard is left: the local cloud, which nobody else speaks of then.
import { findLocalCloud, openSession } from '../../../lib/sdk/index.js';
import type { Io } from '../../command.js';

/** A line; null when the local cloud does not run, or another one is meant. */
export async function cloudGoesOn(folder: string, env: Io['env']): Promise<string | null> {
  const { choose, home } = openSession({ folder, env });
  const chosen = await choose().catch(() => null);
  const cloud = chosen?.url === null ? await findLocalCloud(home) : null;
  return cloud && `The cloud at ${cloud.url} goes on: "svc cloud stop" ends it.`;
}
