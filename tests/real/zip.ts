// Reads one file of a zip archive, as far as wheels need it.
import { inflateRawSync } from 'node:zlib';

const END = 0x06054b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const DEFLATED = 8;

export function readZipEntry(zip: Buffer, name: string): Buffer {
  const end = zip.lastIndexOf(Buffer.from(Uint32Array.of(END).buffer));
  if (end < 0 || end + END_BYTES > zip.length) throw new Error('This is not a zip file.');
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const nameLength = zip.readUInt16LE(at + 28);
    const rest = zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
    if (zip.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameLength) === name)
      return readData(zip, at);
    at += ENTRY_BYTES + nameLength + rest;
  }
  throw new Error(`The zip file has no ${name}.`);
}

function readData(zip: Buffer, entry: number): Buffer {
  const [bytes, local] = [zip.readUInt32LE(entry + 20), zip.readUInt32LE(entry + 42)];
  const start = local + LOCAL_BYTES + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const data = zip.subarray(start, start + bytes);
  return zip.readUInt16LE(entry + 10) === DEFLATED ? inflateRawSync(data) : data;
}
