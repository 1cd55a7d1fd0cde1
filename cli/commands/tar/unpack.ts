// Unpacks a tar archive into a folder: completely or not at all, and never over an existing file.
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { readTar } from '../../../lib/tar/index.js';
import { fillFolder } from '../files/fill-folder.js';

/** Returns the paths of the unpacked files, relative to the folder. */
export function unpackTar(
  source: AsyncIterable<Uint8Array>,
  folder: string,
  signal?: AbortSignal,
): Promise<string[]> {
  return fillFolder(folder, partial => unpackInto(source, partial, signal));
}

/** The same, into an empty folder. */
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
