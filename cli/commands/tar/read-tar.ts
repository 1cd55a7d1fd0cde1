// Yields the files of a tar archive in order. Allows only files and folders: rejects links, devices and names that lead
// outside the target folder.
import { ReadableStream } from 'node:stream/web';
import { createTarDecoder } from 'modern-tar';

interface TarFile {
  /** Relative, with forward slashes, never outside the folder. */
  path: string;
  /** Read it to the end before requesting the next file. */
  content: ReadableStream<Uint8Array>;
}

export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarFile> {
  const entries = ReadableStream.from(source).pipeThrough(createTarDecoder({ strict: true }));
  for await (const { header, body } of entries) {
    if (header.type === 'file') yield { path: toInnerPath(header.name), content: body };
    else if (header.type !== 'directory')
      throw new Error(`The archive was not unpacked: "${header.name}" is neither a file nor a folder.`);
    else await body.cancel();
  }
}

/** Throws for a name that could lead outside the folder on any system. */
function toInnerPath(path: string): string {
  const parts = path.split('/').filter(part => part !== '.' && part !== '');
  const isInner = !path.startsWith('/') && parts.length > 0 && parts.every(isPlainName);
  if (!isInner) throw new Error(`The archive was not unpacked: it contains the unsafe name "${path}".`);
  return parts.join('/');
}

function isPlainName(name: string): boolean {
  return name !== '..' && !/[\\:\p{Cc}]/u.test(name);
}
