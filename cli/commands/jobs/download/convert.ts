// Saves an adapter in another form than the one it was downloaded in, never over an existing file. Loads the engine.
import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { writeGgufAdapter, writeMergedModel } from '../../../../lib/engine/index.js';
import { makeFolder, toNotWritable } from '../../../../lib/sdk/index.js';
import { CommandError } from '../../../command-error.js';
import { fillFolder, placeFile } from '../../files/fill-folder.js';
import { isThere } from '../../files/is-there.js';
import type { Download, Saved } from './download.js';
import { withSource } from './source.js';

export async function saveMerged(download: Download, folder: string): Promise<Saved> {
  // Before anything is computed: it may take minutes.
  if ((await isThere(folder)) && (await readdir(folder)).length > 0)
    throw new CommandError(`${folder} is not empty. Move it, or choose another folder with --out.`);
  const fill = (partial: string) =>
    withSource(download, source => {
      download.input.note('Merging the adapter into its base model…');
      return writeMergedModel(partial, source);
    });
  return { folder, files: await fillFolder(folder, fill) };
}

/** `out`: the file, or an existing folder for it. */
export async function saveGguf(download: Download, out: string, name: string): Promise<Saved> {
  const isFolder = await stat(out).then(
    found => found.isDirectory(),
    () => false,
  );
  const path = isFolder ? join(out, `${name}.gguf`) : out;
  if (await isThere(path)) throw alreadyThere(path);
  const [folder, file] = [dirname(path), basename(path)];
  makeFolder(folder);
  const partial = join(folder, `.svc-download-${randomBytes(4).toString('hex')}`);
  try {
    await withSource(download, source => writeGgufAdapter(partial, source));
    await placeFile(partial, path);
    return { folder, files: [file] };
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EEXIST'
      ? alreadyThere(path)
      : toNotWritable(error, path);
  } finally {
    await rm(partial, { force: true });
  }
}

function alreadyThere(path: string): CommandError {
  return new CommandError(`${path} already exists. Move it, or choose another file with --out.`);
}
