// Tar archives in ustar format, which every tar reads: for adapters on their way to and from a cloud, and for backups. The
// same files always give the same bytes.
import { type FileHandle, open } from 'node:fs/promises';
import { ReadableStream as NodeStream } from 'node:stream/web';
import { createTarDecoder } from 'modern-tar';

const BLOCK = 512;
const CHUNK = 256 * 1024;

/** The largest size that a header's eleven octal digits can hold. */
const LARGEST = 8 ** 11 - 1;

interface Archive {
  /** Of all of it. */
  bytes: number;
  /** From where `body` has it. */
  start: number;
  body: ReadableStream<Uint8Array>;
}

/**
 * Holds the files open until the archive is read or canceled, so they may be deleted meanwhile. `startIn`: picks the offset,
 * given the archive's size.
 */
export async function openArchive(
  files: readonly { name: string; path: string }[],
  startIn: (bytes: number) => number = () => 0,
): Promise<Archive> {
  const entries: Entry[] = [];
  try {
    for (const { name, path } of files) {
      const handle = await open(path);
      entries.push({ name, handle, size: 0 });
      entries.at(-1)!.size = (await handle.stat()).size;
    }
    const bytes = entries.reduce((sum, { size }) => sum + BLOCK + size + padding(size), 2 * BLOCK);
    const start = startIn(bytes);
    return { bytes, start, body: toStream(entries, start) };
  } catch (error) {
    await closeAll(entries);
    throw error;
  }
}

/** Unlike a generator, a stream that is canceled before its first read closes its files, too. */
function toStream(entries: readonly Entry[], start: number): ReadableStream<Uint8Array> {
  const chunks = writeArchive(entries);
  let before = start;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const { done, value } = await chunks.next();
          if (done) return controller.close();
          const left = value.subarray(Math.min(before, value.length));
          before -= value.length - left.length;
          if (left.length > 0) return controller.enqueue(left);
        }
      },
      async cancel() {
        await chunks.return(undefined);
        await closeAll(entries);
      },
    },
    { highWaterMark: 0 },
  );
}

/** The same, but opens each file when needed, since there may be more files than a process may have open. */
export async function* archiveFiles(
  files: readonly { name: string; path: string }[],
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for (const { name, path } of files) {
    const handle = await open(path);
    try {
      for await (const chunk of writeEntry({ name, handle, size: (await handle.stat()).size })) {
        signal?.throwIfAborted();
        yield chunk;
      }
    } finally {
      await handle.close();
    }
  }
  yield new Uint8Array(2 * BLOCK);
}

/** An archive as a Blob: reads its files each time it is sent. */
export function toTarBlob(files: readonly { name: string; content: Blob }[]): Blob {
  const parts = files.flatMap(({ name, content }) => [
    toHeader(name, content.size),
    content,
    new Uint8Array(padding(content.size)),
  ]);
  return new Blob([...parts, new Uint8Array(2 * BLOCK)]);
}

interface Entry {
  name: string;
  handle: FileHandle;
  size: number;
}

async function* writeArchive(entries: readonly Entry[]): AsyncGenerator<Uint8Array> {
  try {
    for (const entry of entries) yield* writeEntry(entry);
    yield new Uint8Array(2 * BLOCK);
  } finally {
    await closeAll(entries);
  }
}

async function* writeEntry({ name, handle, size }: Entry): AsyncGenerator<Uint8Array> {
  yield toHeader(name, size);
  yield* readAll(handle, size);
  yield new Uint8Array(padding(size));
}

async function* readAll(handle: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const chunk = new Uint8Array(Math.min(CHUNK, size - at));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
    if (bytesRead === 0) throw new Error('A file was truncated while being archived.');
    yield chunk.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** A plain file, readable by everyone, without owner or time. */
function toHeader(name: string, size: number): Uint8Array<ArrayBuffer> {
  if (size > LARGEST || Buffer.byteLength(name) > 100)
    throw new Error(`${name} does not fit into an archive.`);
  const header = Buffer.from(new ArrayBuffer(BLOCK));
  const octal = (value: number, at: number, digits: number) =>
    header.write(value.toString(8).padStart(digits, '0'), at);
  header.write(name, 0);
  octal(0o644, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(size, 124, 11);
  octal(0, 136, 11);
  header.write('        0', 148);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  // The checksum field counts as spaces.
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    6,
  );
  header[154] = 0;
  return header;
}

function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

async function closeAll(entries: readonly Entry[]): Promise<void> {
  await Promise.allSettled(entries.map(({ handle }) => handle.close()));
}

interface TarFile {
  /** Relative, with forward slashes, never outside the folder. */
  path: string;
  /** Read it to the end before requesting the next file. */
  content: AsyncIterable<Uint8Array>;
}

/** The archive is damaged or contains disallowed entries. Errors of its source are thrown unchanged. */
export class TarError extends Error {
  override readonly name = 'TarError';
}

/**
 * Yields the files of an archive in order. Allows only files and folders: rejects links, devices and names that lead outside
 * the target folder.
 */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarFile> {
  const archive = watchSource(source);
  const entries = NodeStream.from(archive.bytes).pipeThrough(createTarDecoder({ strict: true }));
  for await (const { header, body } of explain(entries, archive)) {
    if (header.type === 'file') yield { path: toInnerPath(header.name), content: explain(body, archive) };
    else if (header.type !== 'directory')
      throw new TarError(`The archive was not unpacked: "${header.name}" is neither a file nor a folder.`);
    else await body.cancel();
  }
}

interface WatchedSource {
  bytes: AsyncIterable<Uint8Array>;
  /** The source's error. */
  fault: { error: unknown } | null;
}

function watchSource(source: AsyncIterable<Uint8Array>): WatchedSource {
  const watched: WatchedSource = { bytes: read(), fault: null };
  async function* read() {
    try {
      yield* source;
    } catch (error) {
      watched.fault = { error };
      throw error;
    }
  }
  return watched;
}

async function* explain<T>(parts: AsyncIterable<T>, source: WatchedSource): AsyncGenerator<T> {
  try {
    yield* parts;
  } catch (error) {
    if (source.fault) throw source.fault.error;
    throw error instanceof TarError ? error : new TarError((error as Error).message, { cause: error });
  }
}

/** Throws for a name that could lead outside the folder on any system. */
function toInnerPath(path: string): string {
  const parts = path.split('/').filter(part => part !== '.' && part !== '');
  const isInner = !path.startsWith('/') && parts.length > 0 && parts.every(isPlainName);
  if (!isInner) throw new TarError(`The archive was not unpacked: it contains the unsafe name "${path}".`);
  return parts.join('/');
}

function isPlainName(name: string): boolean {
  return name !== '..' && !/[\\:\p{Cc}]/u.test(name);
}
