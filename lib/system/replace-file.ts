// Writes a file completely or not at all: under a temporary name next to it, synced, then renamed.
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { rename } from './rename.js';
import { syncFolder } from './sync-folder.js';

type Content = string | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** A larger single write fails on some systems. */
const PIECE_BYTES = 1024 ** 3;

/** Its folder must exist. Survives a power cut once it returns. */
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

/** Creates a file that is on disk once this returns. */
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

/** Hidden, next to the file or folder that it will replace. */
export function temporaryNameFor(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomUUID().slice(0, 8)}.tmp`);
}
