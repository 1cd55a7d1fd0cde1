// Decompresses the pages of Parquet files: hyparquet has snappy built in, and Node's zlib covers the rest.
import * as zlib from 'node:zlib';
import type { CompressionCodec, Compressors } from 'hyparquet';

type Unpack = (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;

// Node 20 has no zstd.
const { zstdDecompressSync } = zlib as { zstdDecompressSync?: Unpack };

/** Protects against data that unpacks to more than the file declares. */
const limited = (unpack: Unpack) => (bytes: Uint8Array, size: number) =>
  unpack(bytes, { maxOutputLength: Math.max(size, 1) });

export const compressors: Compressors = {
  GZIP: limited(zlib.gunzipSync),
  BROTLI: limited(zlib.brotliDecompressSync),
  ...(zstdDecompressSync && { ZSTD: limited(zstdDecompressSync) }),
};

/** Depends on the Node version. */
export function isReadable(codec: CompressionCodec): boolean {
  return codec === 'UNCOMPRESSED' || codec === 'SNAPPY' || codec in compressors;
}
