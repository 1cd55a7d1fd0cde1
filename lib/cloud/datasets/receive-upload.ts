// Takes in uploads: each into a file of its own while its digest is computed, so that nothing half ever lies where data
// sets are. What fails leaves nothing behind.
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '../../contract/index.js';

export interface Upload {
  path: string;
  sha256: string;
  bytes: number;
}

export interface UploadDesk {
  /** Runs `take` on what was received; the file is gone afterwards, unless it was moved. */
  receive<Result>(
    body: AsyncIterable<Uint8Array>,
    take: (upload: Upload) => Promise<Result>,
  ): Promise<Result>;
  /** Whether the file of this name is being received or taken now. */
  isLive(file: string): boolean;
}

export function openUploadDesk(folder: string): UploadDesk {
  const live = new Set<string>();
  return {
    isLive: file => live.has(file),
    async receive(body, take) {
      const file = `${randomUUID()}.part`;
      const path = join(folder, file);
      live.add(file);
      try {
        await mkdir(folder, { recursive: true });
        return await take({ path, ...(await write(path, body)) });
      } catch (error) {
        throw toUploadError(error);
      } finally {
        await rm(path, { force: true });
        live.delete(file);
      }
    },
  };
}

async function write(path: string, body: AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256');
  let bytes = 0;
  const handle = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of body) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      await handle.writeFile(chunk);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  return { sha256: hash.digest('hex'), bytes };
}

function toUploadError(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error;
  return new ApiError(
    'internal_error',
    'The disk of the cloud is full, so the data set was not stored. Free some space there, for example with `svc cloud gc`, and upload it again.',
    { cause: error },
  );
}
