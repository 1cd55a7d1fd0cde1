// Downloads one file of a model. Resumes a partial download, and renames the file once its checksum matches.
import type { Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { rename } from '../../system/index.js';
import { type Hub, type HubFile, type HubRepository, openHubFile, toChecksum } from './repository.js';

/** `file.path` is a file name without folders. */
export async function fetchModelFile(
  hub: Hub,
  model: HubRepository,
  file: HubFile,
  folder: string,
): Promise<void> {
  const target = join(folder, file.path);
  if ((await sizeOf(target)) === file.size) return;
  const part = `${target}.part`;
  const { hash, expected } = toChecksum(file);
  const present = await hashPartial(part, file.size, hash);
  if (present < file.size) await append(await openRest(hub, model, file.path, present), part, hash);
  if (hash.digest('hex') !== expected) {
    await rm(part, { force: true });
    throw new Error(`${file.path} does not match the Hub's checksum`);
  }
  await rename(part, target);
}

/** Returns the size of the partial download. One that is longer than the file is deleted. */
async function hashPartial(part: string, size: number, hash: Hash): Promise<number> {
  const present = await sizeOf(part);
  if (present > size) {
    await rm(part);
    return 0;
  }
  if (present > 0) for await (const chunk of createReadStream(part)) hash.update(chunk as Uint8Array);
  return present;
}

async function openRest(
  hub: Hub,
  model: HubRepository,
  path: string,
  from: number,
): Promise<AsyncIterable<Uint8Array>> {
  const blob = await openHubFile(hub, model, path);
  if (!blob) throw new Error(`the Hub lists ${path}, but does not have it`);
  return blob.slice(from).stream() as unknown as AsyncIterable<Uint8Array>;
}

async function append(chunks: AsyncIterable<Uint8Array>, part: string, hash: Hash): Promise<void> {
  const handle = await open(part, 'a');
  try {
    for await (const chunk of chunks) {
      await handle.writeFile(chunk);
      hash.update(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0;
}
