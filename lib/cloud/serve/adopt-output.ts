// What the cloud's processes print themselves, such as warnings of Node, of native code, or the last words of one that
// crashed: in the background it goes to a file of its own, and from there into the log, in the log's form.
import { type FileHandle, open } from 'node:fs/promises';
import type { Log } from './log.js';

/** What is more than this at once is left out, but for its end. */
const MOST_BYTES = 256 * 1024;

/** Moves into the log what is in the file, which nobody else empties. */
export async function adoptOutput(file: string, log: Log): Promise<void> {
  const handle = await open(file, 'r+').catch(() => null);
  if (!handle) return;
  try {
    const { size, mtime } = await handle.stat();
    if (size === 0) return;
    const lines = (await readEnd(handle, size)).split(/\r?\n/).filter(Boolean);
    // What is printed in this very moment is lost; it is appended, so that what comes later begins the file.
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
