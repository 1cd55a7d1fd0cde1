// How the pages of a Parquet file are unpacked: snappy is the reader's own, the rest is Node's, where it has it.
import * as zlib from 'node:zlib';
import type { CompressionCodec, Compressors } from 'hyparquet';

type Unpack = (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;

// Node 20 has no zstd.
const { zstdDecompressSync } = zlib as { zstdDecompressSync?: Unpack };

/** Nothing unpacks to more than the file says. */
const limited = (unpack: Unpack) => (bytes: Uint8Array, size: number) =>
  unpack(bytes, { maxOutputLength: Math.max(size, 1) });

export const compressors: Compressors = {
  GZIP: limited(zlib.gunzipSync),
  BROTLI: limited(zlib.brotliDecompressSync),
  ...(zstdDecompressSync && { ZSTD: limited(zstdDecompressSync) }),
};

/** Whether pages of this codec can be read on this machine. */
export function isReadable(codec: CompressionCodec): boolean {
  return codec === 'UNCOMPRESSED' || codec === 'SNAPPY' || codec in compressors;
}
