// Reads a file's start value by value. Checks that a value fits into the rest of the file before it allocates memory for it.
import { readSync } from 'node:fs';
import { WeightsError } from '../weights/index.js';

export interface ByteReader {
  readonly position: number;
  /** How many bytes follow. */
  readonly rest: number;
  uint32(): number;
  /** Larger numbers than JavaScript counts to are an error. */
  uint64(): number;
  text(longest: number): string;
  /** Valid until the next call. */
  bytes(length: number): Buffer;
  skip(length: number): void;
}

const WINDOW_BYTES = 2 ** 20;

/** `end`: reading beyond it is an error. */
export function createByteReader(fd: number, end: number, file: string): ByteReader {
  let window: Buffer = Buffer.alloc(0);
  let start = 0;
  let at = 0;

  function require(length: number): void {
    const rest = end - start - at;
    if (length > rest)
      throw new WeightsError(
        file,
        `is truncated or damaged: its header needs ${length} bytes at ${start + at}, but only ${rest} follow`,
      );
  }

  function bytes(length: number): Buffer {
    require(length);
    if (at + length > window.length) {
      start += at;
      at = 0;
      window = readAt(fd, start, Math.min(Math.max(length, WINDOW_BYTES), end - start), file);
    }
    at += length;
    return window.subarray(at - length, at);
  }

  function uint64(): number {
    const value = bytes(8).readBigUInt64LE();
    if (value <= Number.MAX_SAFE_INTEGER) return Number(value);
    throw new WeightsError(file, `is damaged: its header has the length ${value}`);
  }

  return {
    get position() {
      return start + at;
    },
    get rest() {
      return end - start - at;
    },
    uint32: () => bytes(4).readUInt32LE(),
    uint64,
    text(longest) {
      const length = uint64();
      require(length);
      if (length <= longest) return bytes(length).toString('utf8');
      throw new WeightsError(
        file,
        `has a text of ${length} bytes in its header, more than the limit of ${longest}`,
      );
    },
    bytes,
    skip(length) {
      require(length);
      at += length;
      if (at <= window.length) return;
      start += at;
      at = 0;
      window = Buffer.alloc(0);
    },
  };
}

function readAt(fd: number, position: number, length: number, file: string): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  for (let done = 0; done < length; ) {
    const count = readSync(fd, buffer, done, length - done, position + done);
    if (count === 0)
      throw new WeightsError(file, `ends at byte ${position + done}: it was truncated while open`);
    done += count;
  }
  return buffer;
}
