// One header block of a tar archive: ustar, with what GNU tar and pax write for long names and large files.

export const BLOCK = 512;

export interface TarHeader {
  path: string;
  size: number;
  /** The entry's type flag. */
  kind: string;
}

/** Null for the block of zeros that ends an archive. */
export function parseHeader(block: Uint8Array): TarHeader | null {
  if (block.every(byte => byte === 0)) return null;
  if (readOctal(block, 148, 8) !== checksum(block))
    throw new Error('The archive is damaged: invalid header.');
  const prefix = readText(block, 257, 5) === 'ustar' ? readText(block, 345, 155) : '';
  const name = readText(block, 0, 100);
  const kind = String.fromCharCode(block[156] || 48);
  return { path: prefix ? `${prefix}/${name}` : name, size: readSize(block), kind };
}

/** The records of a pax header: `<length> <key>=<value>\n`, the length counting itself. */
export function parsePax(bytes: Uint8Array): Map<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(32, at);
    const length = Number(decode(bytes.subarray(at, space)));
    if (space === -1 || !Number.isInteger(length) || length <= space - at)
      throw new Error('The archive is damaged: invalid header record.');
    const [, key, value] = /^([^=]*)=(.*)\n$/s.exec(decode(bytes.subarray(space + 1, at + length))) ?? [];
    if (key !== undefined) records.set(key, value!);
    at += length;
  }
  return records;
}

export function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function readText(block: Uint8Array, start: number, length: number): string {
  const field = block.subarray(start, start + length);
  const end = field.indexOf(0);
  return decode(end === -1 ? field : field.subarray(0, end));
}

function readOctal(block: Uint8Array, start: number, length: number): number {
  return Number.parseInt(readText(block, start, length).trim() || '0', 8);
}

/** Octal digits; or, with the first bit set, binary, for 8 GiB and more. */
function readSize(block: Uint8Array): number {
  const size =
    block[124]! & 0x80
      ? block.subarray(125, 136).reduce((value, byte) => value * 256 + byte, block[124]! & 0x7f)
      : readOctal(block, 124, 12);
  if (!Number.isSafeInteger(size) || size < 0) throw new Error('The archive is damaged: invalid size.');
  return size;
}

/** The sum of the block's bytes, with the checksum field counted as spaces. */
function checksum(block: Uint8Array): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);
}
