// Opens files for sending, replaces folders, and removes both.
import { lstat, mkdir, open, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { ApiError, type Collected, DIGEST_HEADER } from '../../contract/index.js';
import { rename, syncFolder, unlessMissing } from '../../system/index.js';

export interface OpenedFile {
  bytes: number;
  body: ReadableStream<Uint8Array>;
}

/** Stays readable if it is deleted meanwhile. `startIn`: picks the offset, given the file's size. */
export async function openFile(
  path: string,
  startIn: (size: number) => number = () => 0,
): Promise<OpenedFile & { start: number }> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    const start = startIn(size);
    const body = Readable.toWeb(handle.createReadStream({ start })) as ReadableStream<Uint8Array>;
    return { bytes: size, start, body };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

interface SentFile {
  path: string;
  sha256: string;
}

/** Sends a file with its digest, starting at the requested byte, so that an interrupted download can resume. */
export async function sendFile(request: Request, { path, sha256 }: SentFile): Promise<Response> {
  const { bytes, start, body } = await openFile(path, size => readStart(request, size));
  return fromStart(
    body,
    { start, bytes },
    { 'content-type': 'application/octet-stream', [DIGEST_HEADER]: sha256 },
  );
}

/** A body that starts at this byte of the total. */
export function fromStart(
  body: ReadableStream<Uint8Array>,
  { start, bytes }: { start: number; bytes: number },
  headers: Readonly<Record<string, string>>,
): Response {
  const length = { 'content-length': String(bytes - start) };
  const range = start > 0 && { 'content-range': `bytes ${start}-${bytes - 1}/${bytes}` };
  return new Response(body, { status: start > 0 ? 206 : 200, headers: { ...headers, ...length, ...range } });
}

/** Other kinds of ranges, and ranges of what has another `etag`, get the whole file, as HTTP allows. */
export function readStart({ headers }: Request, size: number, etag: string | null = null): number {
  const isOther = (headers.get('if-range') ?? etag) !== etag;
  const requestedStart = /^bytes=(\d{1,15})-$/.exec(headers.get('range') ?? '')?.[1];
  const start = requestedStart === undefined || isOther ? 0 : Number(requestedStart);
  if (start === 0 || start < size) return start;
  // By the status and the size, programs tell that they have all of it.
  throw new ApiError(
    'range_not_satisfiable',
    `The file has ${size} bytes, so it cannot be sent from byte ${start}.`,
    { headers: { 'content-range': `bytes */${size}` } },
  );
}

/**
 * Fills a folder under a temporary name, then replaces the old one with it: it appears complete, or not at all. Survives a
 * power cut once it returns.
 */
export async function replaceFolder<T>(path: string, fill: (partial: string) => Promise<T>): Promise<T> {
  const partial = `${path}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  try {
    const filled = await fill(partial);
    await syncFolder(partial);
    await moveFolder(partial, path);
    return filled;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

/** Replaces the existing folder, if any. */
export async function moveFolder(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await rename(from, to);
  await syncFolder(dirname(to));
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
  return unlessMissing(readdir(folder), []);
}

async function measure(path: string): Promise<Collected> {
  const found = await lstat(path).catch(() => null);
  if (!found) return noGarbage;
  if (!found.isDirectory()) return { files: 1, bytes: found.nlink > 1 ? 0 : found.size };
  return addUp(await Promise.all((await listNames(path)).map(name => measure(join(path, name)))));
}
