// Files that survive crashes and concurrent readers, and disk faults.
import { randomUUID } from 'node:crypto';
import { type FileHandle, lstat, open, rename as renameOnce, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Clock, realClock } from '../clock/index.js';

type Content = string | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** A larger single write fails on some systems. */
const PIECE_BYTES = 1024 ** 3;

/**
 * Writes a file completely or not at all: under a temporary name next to it, synced, then renamed. Its folder must exist.
 * Survives a power cut once it returns.
 */
export async function replaceFile(path: string, content: Content, mode = 0o644): Promise<void> {
  const temporary = temporaryNameFor(path);
  try {
    await writeSynced(temporary, content, mode);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Creates a file and returns once it is on disk. */
export async function writeSynced(path: string, content: Content, mode = 0o644): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    const pieces = typeof content === 'string' ? [Buffer.from(content)] : content;
    for await (const piece of pieces) await writeAll(file, piece);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const length = Math.min(PIECE_BYTES, bytes.length - done);
    done += (await file.write(bytes, done, length)).bytesWritten;
  }
}

/** True for the error of a file or folder that does not exist. */
export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** The result, or `instead` if the file or folder does not exist. */
export async function unlessMissing<T, U>(result: Promise<T>, instead: U): Promise<T | U> {
  return result.catch(error => {
    if (isMissing(error)) return instead;
    throw error;
  });
}

/** Hidden, next to the file or folder that it will replace. */
export function temporaryNameFor(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomUUID().slice(0, 8)}.tmp`);
}

/** Whether anything exists at this path, including a dangling link. */
export function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

interface Attempts {
  rename?: (from: string, to: string) => Promise<void>;
  platform?: NodeJS.Platform;
  clock?: Clock;
}

const IN_USE: ReadonlySet<string | undefined> = new Set(['EPERM', 'EACCES', 'EBUSY']);
/** The pauses between attempts. About three seconds in total. */
const WAITS_MS = [10, 20, 40, 80, 160, 320, 500, 500, 500, 500, 500];

/**
 * `rename` that waits on Windows, where a file cannot be replaced while a virus scanner, an indexer or a reader briefly has
 * it open. On other systems these errors are final and thrown at once.
 */
export async function rename(
  from: string,
  to: string,
  { rename: once = renameOnce, platform = process.platform, clock = realClock }: Attempts = {},
): Promise<void> {
  const waits = platform === 'win32' ? WAITS_MS : [];
  for (const wait of waits) {
    try {
      return await once(from, to);
    } catch (error) {
      if (!IN_USE.has((error as NodeJS.ErrnoException).code)) throw error;
    }
    await clock.sleep(wait);
  }
  return once(from, to);
}

/** Changes when the content changes or the file is replaced; null if there is none. */
export async function stampOf(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found && `${found.ino}:${found.ctimeNs}:${found.mtimeNs}:${found.size}`;
}

/** Makes a folder's entries survive a power cut. Windows has no such call. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Errors caused by the machine rather than by the work: its disk is full or failing, or it has run out of file handles,
 * processes or memory. They pass or get repaired, so the work can be retried.
 */
const CODES = /^(?:ENOSPC|EDQUOT|EIO|EROFS|EMFILE|ENFILE|EAGAIN|ENOMEM|ESTALE|ENOLCK)$/;
/** The wording of native libraries. */
const FULL = /\bENOSPC\b|no space left on device/i;

/** The code of the disk fault behind an error, however it was wrapped; null if there is none. */
export function findDiskFault(error: unknown): string | null {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (CODES.test(String(code))) return code!;
    if (FULL.test(cause.message)) return 'ENOSPC';
  }
  return null;
}
