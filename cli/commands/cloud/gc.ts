// svc cloud gc: deletes what nothing refers to any more. A cloud that runs does it itself.
import { createCloudClient } from '../../../lib/client/index.js';
import { collectGarbageIn, FolderOwnedError } from '../../../lib/cloud/index.js';
import { formatBytes, plural } from '../../../lib/console/index.js';
import type { Collected } from '../../../lib/contract/index.js';
import { findCloudIn } from '../../../lib/sdk/local-cloud/index.js';
import type { CommandModule } from '../../command.js';
import { CommandError } from '../../command-error.js';
import { exitCode } from '../../exit-code.js';
import { findFolder } from './folder.js';

export const run: CommandModule['run'] = async (input, io) => {
  const collected = await collect(findFolder(input, io));
  const { files, bytes } = collected;
  const text =
    files === 0 ? 'There is nothing to delete.' : `Deleted ${plural(files, 'file')}, ${formatBytes(bytes)}.`;
  io.stdout.write(`${input.json ? JSON.stringify({ collected }) : text}\n`);
  return exitCode.ok;
};

async function collect(folder: string): Promise<Collected> {
  const cloud = await findCloudIn(folder);
  if (cloud) return (await createCloudClient({ baseUrl: cloud.url }).collectGarbage(cloud.secret)).collected;
  try {
    return await collectGarbageIn(folder);
  } catch (error) {
    if (!(error instanceof FolderOwnedError)) throw error;
    throw new CommandError(
      `${error.message} It does not answer: is it starting or stopping? Try again in a moment.`,
    );
  }
}
