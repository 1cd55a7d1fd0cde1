// The files of a tar archive, one after the other. Only files and folders are known: an archive with links or devices
// is refused, and so is a name that leads out of the folder it is unpacked in.
import { createByteReader } from './byte-reader.js';
import { BLOCK, decode, parseHeader, parsePax, type TarHeader } from './header.js';

export interface TarFile {
  /** Relative, with forward slashes, and inside. */
  path: string;
  /** To be read to its end before the next file is asked for. */
  content: AsyncGenerator<Uint8Array>;
}

const FILE = '0';
const FOLDER = '5';
const PAX = 'x';
const PAX_GLOBAL = 'g';
const LONG_NAME = 'L';
/** Headers about a header are small; a larger one means harm. */
const MAX_EXTRA = 1024 * 1024;

export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarFile> {
  const reader = createByteReader(source);
  let extra: Partial<TarHeader> = {};
  for (;;) {
    const header = parseHeader(await reader.take(BLOCK));
    if (!header) return;
    if (isAboutTheNext(header)) {
      if (header.size > MAX_EXTRA) throw new Error('The archive is damaged: a header is too large.');
      extra = { ...extra, ...readExtra(header.kind, await reader.take(header.size)) };
      await reader.take(paddingAfter(header.size));
      continue;
    }
    const { path, size, kind } = { ...header, ...extra };
    extra = {};
    if (kind === FILE) yield { path: toInnerPath(path), content: reader.stream(size) };
    else if (kind !== FOLDER)
      throw new Error(
        `The archive holds "${path}", which is neither a file nor a folder: it was not unpacked.`,
      );
    await reader.take(paddingAfter(kind === FILE ? size : 0));
  }
}

function isAboutTheNext({ kind }: TarHeader): boolean {
  return kind === PAX || kind === PAX_GLOBAL || kind === LONG_NAME;
}

/** Everything begins at a whole block. */
function paddingAfter(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

function readExtra(kind: string, bytes: Uint8Array): Partial<TarHeader> {
  if (kind === PAX_GLOBAL) return {};
  if (kind === LONG_NAME) return { path: decode(bytes).replace(/\0+$/, '') };
  const records = parsePax(bytes);
  const [path, size] = [records.get('path'), records.get('size')];
  if (size !== undefined && !/^\d{1,15}$/.test(size))
    throw new Error('The archive is damaged: a size is wrong.');
  return { ...(path !== undefined && { path }), ...(size !== undefined && { size: Number(size) }) };
}

/** Throws for a name that could be written anywhere else than inside the folder, on any system. */
function toInnerPath(path: string): string {
  const parts = path.split('/').filter(part => part !== '.' && part !== '');
  const isInner = !path.startsWith('/') && parts.length > 0 && parts.every(isPlainName);
  if (!isInner) throw new Error(`The archive holds the name "${path}": it was not unpacked.`);
  return parts.join('/');
}

function isPlainName(name: string): boolean {
  return name !== '..' && !/[\\:\p{Cc}]/u.test(name);
}
