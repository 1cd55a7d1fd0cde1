// Yields the files of a tar archive in order. Allows only files and folders: rejects links, devices and names that lead
// outside the target folder.
import { ReadableStream } from 'node:stream/web';
import { createTarDecoder } from 'modern-tar';

interface TarFile {
  /** Relative, with forward slashes, never outside the folder. */
  path: string;
  /** Read it to the end before requesting the next file. */
  content: AsyncIterable<Uint8Array>;
}

/** The archive is damaged, or holds what is not allowed. Failures of its source are thrown as they are. */
export class TarError extends Error {
  override readonly name = 'TarError';
}

export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarFile> {
  const archive = watchSource(source);
  const entries = ReadableStream.from(archive.bytes).pipeThrough(createTarDecoder({ strict: true }));
  for await (const { header, body } of explain(entries, archive)) {
    if (header.type === 'file') yield { path: toInnerPath(header.name), content: explain(body, archive) };
    else if (header.type !== 'directory')
      throw new TarError(`The archive was not unpacked: "${header.name}" is neither a file nor a folder.`);
    else await body.cancel();
  }
}

interface WatchedSource {
  bytes: AsyncIterable<Uint8Array>;
  /** What the source failed with. */
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
