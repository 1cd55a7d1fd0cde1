// Mentions the local cloud when the dashboard closes: it keeps running, and nothing else says so.
import { findLocalCloud, openSession } from '../../../lib/sdk/index.js';
import type { Io } from '../../command.js';

/** One line; null when the local cloud is not running or another cloud is in use. */
export async function cloudGoesOn(folder: string, env: Io['env']): Promise<string | null> {
  const { choose, home } = openSession({ folder, env });
  const chosen = await choose().catch(() => null);
  const cloud = chosen?.url === null ? await findLocalCloud(home) : null;
  return cloud && `The cloud at ${cloud.url} is still running. To stop it, run "svc cloud stop".`;
}
