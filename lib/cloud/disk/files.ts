// Opens files to send them, and removes files.
import { lstat, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ApiError, type Collected, DIGEST_HEADER } from '../../contract/index.js';

export interface OpenedFile {
  bytes: number;
  body: ReadableStream<Uint8Array>;
}

/** It stays readable when it is deleted meanwhile. */
export async function openFile(path: string): Promise<OpenedFile> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    const body = Readable.toWeb(handle.createReadStream()) as ReadableStream<Uint8Array>;
    return { bytes: size, body };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

interface SentFile {
  path: string;
  sha256: string;
}

/** Sends a file with its digest, from the byte on that the request asks for, so that an interrupted download goes on. */
export async function sendFile(request: Request, { path, sha256 }: SentFile): Promise<Response> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    const start = readStart(request, size);
    const headers = {
      'content-type': 'application/octet-stream',
      'content-length': String(size - start),
      [DIGEST_HEADER]: sha256,
      ...(start > 0 && { 'content-range': `bytes ${start}-${size - 1}/${size}` }),
    };
    const body = Readable.toWeb(handle.createReadStream({ start })) as ReadableStream<Uint8Array>;
    return new Response(body, { status: start > 0 ? 206 : 200, headers });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Other kinds of ranges get the whole file, as HTTP allows. */
function readStart(request: Request, size: number): number {
  const asked = /^bytes=(\d{1,15})-$/.exec(request.headers.get('range') ?? '')?.[1];
  const start = asked === undefined ? 0 : Number(asked);
  if (start === 0 || start < size) return start;
  throw new ApiError('invalid_value', `The file has ${size} bytes, so it cannot be sent from byte ${start}.`);
}

export const noGarbage: Collected = { files: 0, bytes: 0 };

/** Removes files and folders and reports how much space that freed. A file with other hard links frees none. */
export async function removeAll(paths: readonly string[]): Promise<Collected> {
  const total = { ...noGarbage };
  for (const path of paths) {
    const { files, bytes } = await measure(path);
    await rm(path, { recursive: true, force: true });
    total.files += files;
    total.bytes += bytes;
  }
  return total;
}

export function addUp(parts: readonly Collected[]): Collected {
  return {
    files: parts.reduce((sum, { files }) => sum + files, 0),
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** The names in a folder; empty if it does not exist. */
export async function listNames(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

async function measure(path: string): Promise<Collected> {
  const found = await lstat(path).catch(() => null);
  if (!found) return noGarbage;
  if (!found.isDirectory()) return { files: 1, bytes: found.nlink > 1 ? 0 : found.size };
  return addUp(await Promise.all((await listNames(path)).map(name => measure(join(path, name)))));
}
