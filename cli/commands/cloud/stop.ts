// svc cloud stop: asks the cloud's process to end. Running jobs save where they are, and go on at the next start.
import { findCloudIn, stopLocalCloud } from '../../../lib/sdk/local-cloud/index.js';
import type { CommandModule } from '../../command.js';
import { CommandError } from '../../command-error.js';
import { exitCode } from '../../exit-code.js';
import { describeCloud } from './describe.js';
import { findFolder } from './folder.js';

export const run: CommandModule['run'] = async (input, io) => {
  const folder = findFolder(input, io);
  const cloud = await findCloudIn(folder);
  if (cloud && !(await stopLocalCloud(cloud)))
    throw new CommandError(`The cloud was asked to end, but its process ${cloud.pid} is still there.`);
  const text = cloud ? `The cloud at ${cloud.url} has stopped.\n` : 'The cloud does not run.\n';
  io.stdout.write(
    input.json ? `${JSON.stringify({ stopped: cloud && describeCloud(cloud, folder) })}\n` : text,
  );
  return exitCode.ok;
};
