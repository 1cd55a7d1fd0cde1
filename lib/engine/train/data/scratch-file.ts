// A temporary file without a name, so that it disappears with the process however that ends.
import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface ScratchFile {
  readonly fd: number;
  readonly size: number;
  append(bytes: Uint8Array): void;
  close(): void;
}

/** Creates the folder if necessary. */
export function openScratchFile(folder: string): ScratchFile {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `.${randomUUID()}.tmp`);
  const fd = openSync(path, 'wx+', 0o600);
  rmSync(path, { force: true });
  let size = 0;
  return {
    fd,
    get size() {
      return size;
    },
    append(bytes) {
      for (let at = 0; at < bytes.length; ) {
        const written = writeSync(fd, bytes, at, bytes.length - at, size);
        at += written;
        size += written;
      }
    },
    close: () => closeSync(fd),
  };
}

/** Returns fewer bytes at the end of the file. */
export function readAt(fd: number, position: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(fd, bytes, filled, length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}
