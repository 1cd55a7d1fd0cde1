// Yields the files of a tar archive in order. Allows only files and folders: rejects links, devices and names that lead
// outside the target folder.
import { createByteReader } from './byte-reader.js';
import { BLOCK, decode, parseHeader, parsePax, type TarHeader } from './header.js';

export interface TarFile {
  /** Relative, with forward slashes, never outside the folder. */
  path: string;
  /** Read it to the end before requesting the next file. */
  content: AsyncGenerator<Uint8Array>;
}

const FILE = '0';
const FOLDER = '5';
const PAX = 'x';
const PAX_GLOBAL = 'g';
const LONG_NAME = 'L';
/** Extended headers are small; a larger one is an attack. */
const MAX_EXTRA = 1024 * 1024;

export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarFile> {
  const reader = createByteReader(source);
  let extra: Partial<TarHeader> = {};
  for (;;) {
    const header = parseHeader(await reader.take(BLOCK));
    if (!header) return;
    if (isAboutTheNext(header)) {
      if (header.size > MAX_EXTRA) throw new Error('The archive is damaged: header too large.');
      extra = { ...extra, ...readExtra(header.kind, await reader.take(header.size)) };
      await reader.take(paddingAfter(header.size));
      continue;
    }
    const { path, size, kind } = { ...header, ...extra };
    extra = {};
    if (kind === FILE) yield { path: toInnerPath(path), content: reader.stream(size) };
    else if (kind !== FOLDER)
      throw new Error(`The archive was not unpacked: "${path}" is neither a file nor a folder.`);
    await reader.take(paddingAfter(kind === FILE ? size : 0));
  }
}

function isAboutTheNext({ kind }: TarHeader): boolean {
  return kind === PAX || kind === PAX_GLOBAL || kind === LONG_NAME;
}

/** Every entry starts on a block boundary. */
function paddingAfter(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

function readExtra(kind: string, bytes: Uint8Array): Partial<TarHeader> {
  if (kind === PAX_GLOBAL) return {};
  if (kind === LONG_NAME) return { path: decode(bytes).replace(/\0+$/, '') };
  const records = parsePax(bytes);
  const [path, size] = [records.get('path'), records.get('size')];
  if (size !== undefined && !/^\d{1,15}$/.test(size))
    throw new Error('The archive is damaged: invalid size.');
  return { ...(path !== undefined && { path }), ...(size !== undefined && { size: Number(size) }) };
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
