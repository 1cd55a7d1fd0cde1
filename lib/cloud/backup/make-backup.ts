// Backs up a data folder, whether or not a cloud is running on it, to one tar file that gets its name once it is
// complete.
import { existsSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { archiveFiles } from '../../tar/index.js';
import { stagePrefix } from '../disk/folders.js';
import { makeTemporaryFolder, removeLeftFolders, type TemporaryFolder } from '../disk/temporary-folder.js';
import { BackupError, DATABASE, MANIFEST, toPortable, writeManifest } from './manifest.js';
import { stageBackup } from './stage.js';

interface Backup {
  files: number;
  bytes: number;
}

export async function makeBackup(folder: string, file: string, version: string): Promise<Backup> {
  if (!existsSync(join(folder, DATABASE))) throw new BackupError(`There is no cloud data in ${folder}.`);
  if (existsSync(file)) throw new BackupError(`${file} exists already. Choose another name for the backup.`);
  await removeLeftFolders(stagePrefix(folder));
  const stages: TemporaryFolder[] = [];
  const createStage = async () => {
    const stage = await makeTemporaryFolder(stagePrefix(folder));
    stages.push(stage);
    return stage.path;
  };
  try {
    const { stage, names } = await stageBackup(folder, createStage);
    await writeManifest(stage, names, version);
    const files = [MANIFEST, ...names].map(name => ({ name: toPortable(name), path: join(stage, name) }));
    await writeArchive(file, files);
    return { files: names.length, bytes: (await stat(file)).size };
  } finally {
    for (const stage of stages) await stage.remove();
  }
}

async function writeArchive(file: string, files: readonly { name: string; path: string }[]): Promise<void> {
  const partial = `${file}.${process.pid}.partial`;
  try {
    const handle = await open(partial, 'wx', 0o600);
    try {
      for await (const chunk of archiveFiles(files)) await handle.writeFile(chunk);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(partial, file);
  } finally {
    await rm(partial, { force: true });
  }
}
