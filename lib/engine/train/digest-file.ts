// Hashes files chunk by chunk with SHA-256.
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';

export async function digestFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await addFile(hash, path, signal);
  return hash.digest('hex');
}

export async function addFile(hash: Hash, path: string, signal?: AbortSignal): Promise<void> {
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024, ...(signal && { signal }) }))
    hash.update(chunk as Buffer);
}
