// svc cloud gc: deletes files that nothing refers to. A running cloud does it itself.
import { createCloudClient } from '../../../lib/client/index.js';
import { collectGarbageIn } from '../../../lib/cloud/index.js';
import { formatBytes, plural } from '../../../lib/console/index.js';
import type { Collected } from '../../../lib/contract/index.js';
import type { Io, RunCommand } from '../../command.js';
import { findFolder, findRunning, silentOwner } from './local-cloud.js';

export const run: RunCommand = async context => {
  const collected = await collect(findFolder(context), context.io);
  const { files, bytes } = collected;
  context.answer({ collected }, () =>
    files === 0 ? 'Nothing to delete.\n' : `Deleted ${plural(files, 'file')}, ${formatBytes(bytes)}.\n`,
  );
};

async function collect(folder: string, { clock, env }: Io): Promise<Collected> {
  const { cloud, owner } = await findRunning(folder, clock);
  if (cloud) return (await createCloudClient({ baseUrl: cloud.url }).collectGarbage(cloud.secret)).collected;
  if (owner) throw silentOwner(folder, owner, env);
  return collectGarbageIn(folder);
}
