// One file of a model: downloaded behind what is there of it already, and given its name only when its hash is right.
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { downloadFile } from '@huggingface/hub';
import { rename } from '../../system/index.js';
import { type Hub, type ModelFile, toAccess } from './list-model-files.js';

/** `file.path` is a plain name. */
export async function fetchModelFile(hub: Hub, file: ModelFile, folder: string): Promise<void> {
  const target = join(folder, file.path);
  if ((await sizeOf(target)) === file.size) return;
  const part = `${target}.part`;
  const { hash, digest } = toProof(file);
  const there = await hashPart(part, file.size, hash);
  if (there < file.size) await append(await openRest(hub, file, there), part, hash);
  if (hash.digest('hex') !== digest) {
    await rm(part, { force: true });
    throw new Error(`${file.path} is not what the Hub says it holds`);
  }
  await rename(part, target);
}

/** Large files are listed with their SHA-256, others with the hash that git gives them. */
function toProof({ lfs, oid, size }: ModelFile): { hash: Hash; digest: string | undefined } {
  if (lfs) return { hash: createHash('sha256'), digest: lfs.oid };
  return { hash: createHash('sha1').update(`blob ${size}\0`), digest: oid };
}

/** How much is there. What is longer than it may be is no part of it. */
async function hashPart(part: string, size: number, hash: Hash): Promise<number> {
  const there = await sizeOf(part);
  if (there > size) {
    await rm(part);
    return 0;
  }
  if (there > 0) for await (const chunk of createReadStream(part)) hash.update(chunk as Uint8Array);
  return there;
}

async function openRest(
  hub: Hub,
  { model, commit, path }: ModelFile,
  from: number,
): Promise<AsyncIterable<Uint8Array>> {
  const repo = { type: 'model', name: model } as const;
  const blob = await downloadFile({ ...toAccess(hub), repo, path, revision: commit, xet: false });
  if (!blob) throw new Error(`the Hub lists ${path} but does not have it`);
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
