// Reads a file as a stream of bytes, unzipped if it is gzip, without a byte order mark.
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { codeOf, type DataFile, DatasetError } from './dataset.js';

export type Bytes = AsyncIterable<Uint8Array>;

/** Protects against zip bombs. */
const maxUnzippedBytes = 4 * 1024 ** 3;

const chunkBytes = 256 * 1024;
const headBytes = 4096;
const gzipMark = Buffer.from([0x1f, 0x8b]);
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Throws if it is not a file. */
export async function checkFile({ path, name }: DataFile): Promise<void> {
  const found = await stat(path).catch(error => {
    throw toFileError(name, error);
  });
  if (found.isDirectory()) throw new DatasetError(name, 'is a folder; use a file in it');
  if (!found.isFile()) throw new DatasetError(name, 'is not a file');
}

export function isGzip(file: DataFile): Promise<boolean> {
  return startsWith(file, gzipMark);
}

export function hasByteOrderMark(file: DataFile): Promise<boolean> {
  return startsWith(file, byteOrderMark);
}

async function startsWith({ path, name }: DataFile, mark: Buffer): Promise<boolean> {
  try {
    const handle = await open(path);
    try {
      const { buffer } = await handle.read(Buffer.alloc(mark.length), 0, mark.length, 0);
      return buffer.equals(mark);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw toFileError(name, error);
  }
}

export async function* readBytes(
  file: DataFile,
  signal?: AbortSignal,
  maxUnzipped = maxUnzippedBytes,
): Bytes {
  const gunzip = (await isGzip(file)) ? createGunzip({ chunkSize: chunkBytes }) : undefined;
  const raw = createReadStream(file.path, { highWaterMark: chunkBytes, ...(signal && { signal }) });
  try {
    const content = gunzip
      ? limitBytes(
          pipeline(raw, gunzip, () => {}),
          file.name,
          maxUnzipped,
        )
      : raw;
    yield* skipByteOrderMark(content);
  } catch (error) {
    signal?.throwIfAborted();
    throw toFileError(file.name, error);
  } finally {
    raw.destroy();
  }
}

/** The first bytes of the content, to detect its format. */
export async function readHead(file: DataFile, signal?: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of readBytes(file, signal)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= headBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, headBytes);
}

async function* limitBytes(chunks: Bytes, name: string, most: number): Bytes {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > most)
      throw new DatasetError(name, `has more than ${most} bytes when unzipped, which is the limit`);
    yield chunk;
  }
}

async function* skipByteOrderMark(chunks: Bytes): Bytes {
  let isFirst = true;
  for await (const chunk of chunks) {
    const size = isFirst && byteOrderMark.equals(chunk.subarray(0, 3)) ? 3 : 0;
    isFirst = false;
    yield chunk.subarray(size);
  }
}

const reasons: Record<string, string> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such file',
  EACCES: 'is not readable by this user',
  EISDIR: 'is a folder; use a file in it',
  Z_DATA_ERROR: 'its gzip data is damaged',
  Z_BUF_ERROR: 'its gzip data ends too early; the file is truncated',
};

function toFileError(name: string, error: unknown): unknown {
  if (error instanceof DatasetError) return error;
  const code = codeOf(error);
  if (code === undefined) return error;
  return new DatasetError(name, reasons[code] ?? `cannot be read (${code})`, { cause: error });
}
