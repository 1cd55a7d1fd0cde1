// Receives each upload into its own temporary path, so that incomplete data is never stored. A failed upload leaves nothing
// behind.
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '../../contract/index.js';
import { readTar, TarError } from '../../tar/index.js';
import { toStorageFault } from '../store/storage-fault.js';

export interface Upload {
  path: string;
  bytes: number;
}

export interface UploadDesk {
  /** Runs `use` with a path for a new file or folder, which is deleted afterward unless it was moved. */
  reserve<Result>(use: (path: string) => Promise<Result>): Promise<Result>;
  /** Runs `use` on the received file, which is deleted afterward unless it was moved. */
  receive<Result>(body: AsyncIterable<Uint8Array>, use: (upload: Upload) => Promise<Result>): Promise<Result>;
  /** Whether the file or folder with this name is being received or used now. */
  isLive(file: string): boolean;
}

export function openUploadDesk(folder: string): UploadDesk {
  const live = new Set<string>();

  async function reserve<Result>(use: (path: string) => Promise<Result>): Promise<Result> {
    const name = `${randomUUID()}.part`;
    const path = join(folder, name);
    live.add(name);
    try {
      await mkdir(folder, { recursive: true });
      return await use(path);
    } catch (error) {
      throw toUploadError(error);
    } finally {
      await rm(path, { recursive: true, force: true });
      live.delete(name);
    }
  }

  return {
    isLive: name => live.has(name),
    reserve,
    receive: (body, use) => reserve(async path => use({ path, bytes: await writeUpload(path, body) })),
  };
}

/** The limit on data waiting for the disk. A higher one would make anyone who syncs a small file wait for all of it. */
const UNSYNCED_BYTES = 32 * 1024 ** 2;

/** Writes a new file, or appends to one. Returns how much was written, which is on disk once this returns. */
export async function writeUpload(
  path: string,
  body: AsyncIterable<Uint8Array>,
  flags: 'wx' | 'a' = 'wx',
): Promise<number> {
  const handle = await open(path, flags, 0o600);
  try {
    const bytes = await writeChunks(handle, body);
    await handle.sync();
    return bytes;
  } finally {
    await handle.close();
  }
}

interface Unpacking {
  /** Throws for unexpected files. `names`: the files so far. */
  check(path: string, names: ReadonlySet<string>): void;
  invalid(message: string): ApiError;
}

/** Unpacks a tar archive into a new folder. Returns the names of its files. */
export async function unpackUpload(
  body: AsyncIterable<Uint8Array>,
  folder: string,
  { check, invalid }: Unpacking,
): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  await mkdir(folder);
  try {
    for await (const { path, content } of readTar(body)) {
      check(path, names);
      names.add(path);
      await writeUpload(join(folder, path), content);
    }
  } catch (error) {
    throw error instanceof TarError ? invalid(error.message) : error;
  }
  return names;
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

/** In seconds. Long, because someone has to free space first. */
const RETRY_AFTER = '30';

export function toUploadError(error: unknown): unknown {
  if (!isDiskFull(error)) return toStorageFault(error) ?? error;
  return new ApiError(
    'storage_unavailable',
    "The cloud's disk is full, so the upload was not stored. Free some space, for example with `svc cloud gc`, then upload it again.",
    { cause: error, headers: { 'retry-after': RETRY_AFTER } },
  );
}

export function isDiskFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOSPC' || code === 'EDQUOT';
}

const LONGEST = 255;

/** The uploaded file's name, from a percent-encoded header. It is a label for messages and never becomes a path. */
export function readFileName(header: string | null): string {
  return cleanFileName(decode(header ?? ''));
}

/** Defaults to `data`. The extension is kept because it tells the format. */
export function cleanFileName(given: string): string {
  const parts = given.split(/[\\/]/);
  const name = parts.findLast(part => part.trim() !== '') ?? '';
  const clean = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '').trim();
  return Array.from(clean).slice(-LONGEST).join('') || 'data';
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
