// svc cloud backup FILE: copies everything a cloud holds, whether it is running or not.
import { resolve } from 'node:path';
import { isCloudError, makeBackup } from '../../../lib/cloud/index.js';
import { formatBytes } from '../../../lib/console/index.js';
import { toNotWritable } from '../../../lib/sdk/index.js';
import packageJson from '../../../package.json' with { type: 'json' };
import { CommandError, type CommandModule } from '../../command.js';
import { findFolder } from './local-cloud.js';

export const run: CommandModule['run'] = async context => {
  const { positionals, io, answer } = context;
  const folder = findFolder(context);
  const file = resolve(io.cwd, positionals[0]!);
  const { bytes } = await makeBackup(folder, file, packageJson.version).catch(error => {
    throw isCloudError(error, 'backup') ? new CommandError(error.message) : toNotWritable(error, file);
  });
  answer(
    { backup: { folder, file, bytes } },
    () => `Backed up ${folder} to ${file} (${formatBytes(bytes)}).\n`,
  );
};
