// svc cloud restore FILE: restores the data of a stopped cloud from a backup.
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { installBackup, isCloudError, makeUnpackFolder } from '../../../lib/cloud/index.js';
import { TarError } from '../../../lib/tar/index.js';
import { CommandError, type CommandModule } from '../../command.js';
import { unpackTar } from '../files/fill-folder.js';
import { findFolder } from './local-cloud.js';

export const run: CommandModule['run'] = async context => {
  const { positionals, values, io, svc, answer } = context;
  const folder = findFolder(context);
  const file = resolve(io.cwd, positionals[0]!);
  const former = await restore(file, folder, values.replace === true).catch(error => {
    if (isCloudError(error, 'folder_owned'))
      throw new CommandError(
        `A cloud is running on ${folder}. Stop it first: ${svc} cloud stop --data ${folder}`,
      );
    if (error instanceof TarError)
      throw new CommandError(
        `${file} is incomplete, or not a backup made by svc cloud backup: ${error.message}`,
      );
    throw isCloudError(error, 'backup') ? new CommandError(error.message) : error;
  });
  const aside = former === null ? '' : ` The previous data is now in ${former}.`;
  answer({ restored: { folder, former } }, () => `Restored ${folder} from ${file}.${aside}\n`);
};

async function restore(file: string, folder: string, replace: boolean): Promise<string | null> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`Cannot read ${file} (${error.code}).`);
  });
  try {
    if ((await handle.stat()).isDirectory()) throw new CommandError(`${file} is a folder, not a backup.`);
    const temporary = await makeUnpackFolder(folder);
    const unpacked = join(temporary.path, 'data');
    try {
      await unpackTar(createReadStream('', { fd: handle, autoClose: false }), unpacked);
      return await installBackup({ unpacked, folder, replace });
    } finally {
      await temporary.remove();
    }
  } finally {
    await handle.close();
  }
}
