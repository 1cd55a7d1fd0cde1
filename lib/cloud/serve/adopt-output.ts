// Moves what the cloud's processes print, such as warnings from Node or native code, or a crash, from its file to the
// log in the log's format.
import { type FileHandle, open } from 'node:fs/promises';
import type { Log } from './log.js';

/** Longer output loses all but its end. */
const MOST_BYTES = 256 * 1024;

/** Moves the file's content to the log. Only this function empties the file. */
export async function adoptOutput(file: string, log: Log): Promise<void> {
  const handle = await open(file, 'r+').catch(() => null);
  if (!handle) return;
  try {
    const { size, mtime } = await handle.stat();
    if (size === 0) return;
    const lines = (await readEnd(handle, size)).split(/\r?\n/).filter(Boolean);
    // Output printed at this very moment is lost. The file is opened for appending, so later output starts at its
    // beginning.
    await handle.truncate();
    const [message, ...more] = lines;
    if (message === undefined) return;
    log({ at: mtime.toISOString(), message, ...(more.length > 0 && { error: more.join('\n') }) });
  } catch (error) {
    log({ message: "Could not read the cloud's output.", error });
  } finally {
    await handle.close();
  }
}

async function readEnd(handle: FileHandle, size: number): Promise<string> {
  const length = Math.min(size, MOST_BYTES);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
  return buffer.toString('utf8', 0, bytesRead);
}
