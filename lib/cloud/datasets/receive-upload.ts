// Receives uploads, each into its own file, so that the data sets never include an incomplete one. A failed upload
// leaves nothing behind.
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '../../contract/index.js';
import { toStorageFault } from '../store/storage-fault.js';

export interface Upload {
  path: string;
  bytes: number;
}

interface UploadDesk {
  /** Runs `use` on the received file, which is deleted afterward unless it was moved. */
  receive<Result>(body: AsyncIterable<Uint8Array>, use: (upload: Upload) => Promise<Result>): Promise<Result>;
  /** Whether the file with this name is being received or used now. */
  isLive(file: string): boolean;
}

export function openUploadDesk(folder: string): UploadDesk {
  const live = new Set<string>();
  return {
    isLive: file => live.has(file),
    async receive(body, use) {
      const file = `${randomUUID()}.part`;
      const path = join(folder, file);
      live.add(file);
      try {
        await mkdir(folder, { recursive: true });
        return await use({ path, bytes: await write(path, body) });
      } catch (error) {
        throw toUploadError(error);
      } finally {
        await rm(path, { force: true });
        live.delete(file);
      }
    },
  };
}

/** At most this much waits for the disk. With more, someone who syncs a small file would have to wait for all of it. */
const UNSYNCED_BYTES = 32 * 1024 ** 2;

async function write(path: string, body: AsyncIterable<Uint8Array>): Promise<number> {
  const handle = await open(path, 'wx', 0o600);
  try {
    const bytes = await writeChunks(handle, body);
    await handle.sync();
    return bytes;
  } finally {
    await handle.close();
  }
}

async function writeChunks(handle: FileHandle, body: AsyncIterable<Uint8Array>): Promise<number> {
  let [bytes, unsynced] = [0, 0];
  for await (const chunk of body) {
    await handle.writeFile(chunk);
    bytes += chunk.byteLength;
    unsynced += chunk.byteLength;
    if (unsynced < UNSYNCED_BYTES) continue;
    await handle.datasync();
    unsynced = 0;
  }
  return bytes;
}

/** Seconds, because someone has to free space first. */
const RETRY_AFTER = '30';

function toUploadError(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return toStorageFault(error) ?? error;
  return new ApiError(
    'storage_unavailable',
    "The cloud's disk is full, so the data set was not stored. Free some space, for example with `svc cloud gc`, then upload it again.",
    { cause: error, headers: { 'retry-after': RETRY_AFTER } },
  );
}
