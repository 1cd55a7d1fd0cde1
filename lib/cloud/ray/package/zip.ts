// Writes a zip archive in memory. The same files give the same bytes: entries are sorted and have no times.
import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';

export interface ZipEntry {
  /** With forward slashes. */
  path: string;
  content: Uint8Array;
}

/** January 1, 1980: the earliest date in the format. */
const DATE = 0x21;
const UTF8_NAMES = 0x0800;
const DEFLATE = 8;
const VERSION = 20;
/** A regular file: the owner can read, write and run it, others can read and run it. */
const MODE = 0o100755 * 0x10000;
const UNIX = 3;

const MOST_ENTRIES = 0xffff;

const pack = promisify<Uint8Array, Buffer>(deflateRaw);

export async function writeZip(entries: readonly ZipEntry[]): Promise<Buffer<ArrayBuffer>> {
  if (entries.length >= MOST_ENTRIES)
    throw new RangeError(`A zip archive of ${entries.length} files is too big.`);
  const sorted = [...entries].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, content } of sorted) {
    const name = Buffer.from(path, 'utf8');
    const packed = await pack(content);
    const about = describe(name, content, packed);
    const start = Buffer.alloc(4);
    start.writeUInt32LE(0x04034b50);
    files.push(start, about, name, packed);
    directory.push(toDirectoryEntry(about, offset), name);
    offset += start.length + about.length + name.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  return Buffer.concat([...files, listed, toEnd(sorted.length, listed.length, offset)]);
}

/** Fields shared by a file's local header and its directory entry. */
function describe(name: Buffer, content: Uint8Array, packed: Buffer): Buffer {
  const about = Buffer.alloc(26);
  about.writeUInt16LE(VERSION, 0);
  about.writeUInt16LE(UTF8_NAMES, 2);
  about.writeUInt16LE(DEFLATE, 4);
  about.writeUInt16LE(DATE, 8);
  about.writeUInt32LE(crc32(content), 10);
  about.writeUInt32LE(packed.length, 14);
  about.writeUInt32LE(content.length, 18);
  about.writeUInt16LE(name.length, 22);
  return about;
}

function toDirectoryEntry(about: Buffer, offset: number): Buffer {
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE((UNIX << 8) | VERSION, 4);
  about.copy(entry, 6);
  entry.writeUInt32LE(MODE, 38);
  entry.writeUInt32LE(offset, 42);
  return entry;
}

function toEnd(count: number, bytes: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(bytes, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}
