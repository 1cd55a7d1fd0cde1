// svc cloud backup and restore: everything that a cloud holds, in a file.

import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { installBackup, isCloudError, makeBackup, makeUnpackFolder } from '../../../lib/cloud/index.js';
import { formatBytes } from '../../../lib/console/index.js';
import { toNotWritable } from '../../../lib/sdk/index.js';
import { TarError } from '../../../lib/tar/index.js';
import packageJson from '../../../package.json' with { type: 'json' };
import { CommandError, type RunCommand } from '../../command.js';
import { unpackTar } from '../files/fill-folder.js';
import { interruptible } from '../terminal/interruptible.js';
import { dataOf, findFolder } from './local-cloud.js';

/** Whether the cloud is running or not. */
export const backUp: RunCommand = async context => {
  const { positionals, io, answer } = context;
  const folder = findFolder(context);
  const file = resolve(io.cwd, positionals[0]!);
  return interruptible(io, async signal => {
    const { bytes } = await makeBackup(folder, file, packageJson.version, signal).catch(error => {
      throw isCloudError(error, 'backup') ? new CommandError(error.message) : toNotWritable(error, file);
    });
    answer(
      { backup: { folder, file, bytes } },
      () => `Backed up ${folder} to ${file} (${formatBytes(bytes)}).\n`,
    );
  });
};

/** The cloud must not be running. */
export const restore: RunCommand = async context => {
  const { positionals, values, io, svc, answer } = context;
  const folder = findFolder(context);
  const file = resolve(io.cwd, positionals[0]!);
  const replace = values.replace === true;
  return interruptible(io, async signal => {
    const former = await unpackAndInstall(file, { folder, replace, signal }).catch(error => {
      if (isCloudError(error, 'folder_owned'))
        throw new CommandError(
          `A cloud is running on ${folder}. Stop it first: ${svc} cloud stop${dataOf(folder, io.env)}`,
        );
      if (error instanceof TarError)
        throw new CommandError(
          `${file} is incomplete, or not a backup made by svc cloud backup: ${error.message}`,
        );
      throw isCloudError(error, 'backup') ? new CommandError(error.message) : error;
    });
    const aside = former === null ? '' : ` The previous data is now in ${former}.`;
    answer({ restored: { folder, former } }, () => `Restored ${folder} from ${file}.${aside}\n`);
  });
};

interface Installing {
  folder: string;
  replace: boolean;
  signal: AbortSignal;
}

async function unpackAndInstall(file: string, to: Installing): Promise<string | null> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`Cannot read ${file} (${error.code}).`);
  });
  try {
    if ((await handle.stat()).isDirectory()) throw new CommandError(`${file} is a folder, not a backup.`);
    const temporary = await makeUnpackFolder(to.folder);
    const unpacked = join(temporary.path, 'data');
    try {
      await unpackTar(createReadStream('', { fd: handle, autoClose: false }), unpacked, to.signal);
      return await installBackup({ unpacked, ...to });
    } finally {
      await temporary.remove();
    }
  } finally {
    await handle.close();
  }
}
