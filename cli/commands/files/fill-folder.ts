// Fills a folder completely or not at all, and never overwrites a file.
import { randomBytes } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { copyFile, link, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeFolder, toNotWritable } from '../../../lib/sdk/index.js';
import { isThere } from '../../../lib/system/index.js';
import { readTar } from '../../../lib/tar/index.js';
import { CommandError } from '../../command.js';

/** From a tar archive. Returns the paths of the unpacked files, relative to the folder. */
export function unpackTar(
  source: AsyncIterable<Uint8Array>,
  folder: string,
  signal?: AbortSignal,
): Promise<string[]> {
  return fillFolder(folder, partial => unpackInto(source, partial, signal));
}

/** Like `unpackTar`, into an empty folder. */
export async function unpackInto(
  source: AsyncIterable<Uint8Array>,
  folder: string,
  signal?: AbortSignal,
): Promise<string[]> {
  const files: string[] = [];
  for await (const { path, content } of readTar(source)) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await pipeline(content, createWriteStream(target, { flags: 'wx' }), signal ? { signal } : {});
    files.push(path);
  }
  return files;
}

/** Throws if the folder has something in it. */
export async function requireEmpty(folder: string): Promise<void> {
  if ((await isThere(folder)) && (await readdir(folder)).length > 0)
    throw new CommandError(`${folder} is not empty. Move it, or choose another folder with --out.`);
}

/**
 * `fill` writes files into a new temporary folder next to the target and returns their paths relative to it.
 */
export async function fillFolder(
  folder: string,
  fill: (partial: string) => Promise<string[]>,
): Promise<string[]> {
  makeFolder(dirname(folder));
  const partial = join(dirname(folder), `.svc-download-${randomBytes(4).toString('hex')}`);
  try {
    await mkdir(partial);
    const files = await fill(partial);
    if (await isThere(folder)) await addTo(folder, partial, files);
    else await rename(partial, folder);
    return files;
  } catch (error) {
    throw toNotWritable(error, folder);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}

async function addTo(folder: string, partial: string, files: readonly string[]): Promise<void> {
  const there = await Promise.all(files.map(file => isThere(join(folder, file))));
  const taken = files.filter((_, index) => there[index]);
  if (taken.length > 0)
    throw new Error(
      `These files already exist in ${folder}:\n${taken.map(file => `  ${file}`).join('\n')}\nMove them, or choose another folder with --out.`,
    );
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await placeFile(join(partial, file), join(folder, file));
  }
}

/**
 * Hard-links the file into place, failing if the target exists. Copies where the file system has no hard
 * links.
 */
export async function placeFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
  }
}
