// Reads Parquet one row group at a time, and only the columns that training uses.
import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import * as zlib from 'node:zlib';
import {
  type AsyncBuffer,
  type CompressionCodec,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  type RowGroup,
} from 'hyparquet';
import { type ColumnMap, type DataFile, type DataRow, DatasetError } from './dataset.js';
import { areKnown, describeUnknown, parseJsonColumns, toRow, usedColumns } from './known-columns.js';

const maxGroupBytes = 2 * 1024 ** 3;
/** The footer is read at once. */
const maxFooterBytes = 64 * 1024 ** 2;
const strictText = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const parsers = { stringFromBytes: (bytes: Uint8Array | undefined) => bytes && decodeText(bytes) };

export async function* readParquet(file: DataFile, signal?: AbortSignal): AsyncGenerator<DataRow> {
  const handle = await open(file.path);
  try {
    const bytes = await toParquetBytes(handle);
    const metadata = await readMetadata(bytes, file.name);
    let rowStart = 0;
    for (const group of metadata.row_groups) {
      signal?.throwIfAborted();
      const rows = await readGroup({ file: bytes, metadata, group, rowStart, map: file.columns }).catch(
        error => {
          bytes.giveUp();
          throw toDamage(file.name, rowStart + 1, error);
        },
      );
      for (const [index, row] of rows.entries()) yield toDataRow(row, file, rowStart + index + 1);
      rowStart += rows.length;
    }
  } finally {
    await handle.close();
  }
}

/** Reads only the footer, and checks that its columns and codecs are supported. */
export async function countParquetRows({ path, name, columns }: DataFile): Promise<number> {
  const handle = await open(path);
  try {
    const { row_groups } = await readMetadata(await toParquetBytes(handle), name);
    for (const group of row_groups) checkGroup(group, name, columns);
    const rows = row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0);
    const isPlausible = row_groups.every(group => group.num_rows >= 0) && Number.isSafeInteger(rows);
    if (!isPlausible) throw new DatasetError(name, 'its footer is damaged: its row counts are invalid');
    return rows;
  } finally {
    await handle.close();
  }
}

function checkGroup(group: RowGroup, file: string, map: ColumnMap | undefined): void {
  try {
    chooseColumns(group, map);
  } catch (error) {
    throw toDamage(file, 1, error);
  }
}

interface GroupToRead {
  file: AsyncBuffer;
  metadata: FileMetaData;
  group: RowGroup;
  rowStart: number;
  map: ColumnMap | undefined;
}

async function readGroup({ file, metadata, group, rowStart, map }: GroupToRead) {
  const columns = chooseColumns(group, map);
  const count = Number(group.num_rows);
  const rowEnd = rowStart + count;
  const rows = await parquetReadObjects({ file, metadata, columns, rowStart, rowEnd, compressors, parsers });
  if (rows.length !== count) throw new Error('rows are missing');
  return rows;
}

function toDataRow(found: object, { name: file, columns }: DataFile, number: number): DataRow {
  const row = toRow(toPlainObject(found), file, number, columns);
  return { row: parseJsonColumns(row, file, number, columns), file, number };
}

function decodeText(bytes: Uint8Array): string {
  try {
    return strictText.decode(bytes);
  } catch (cause) {
    throw new Error('it contains text that is not valid UTF-8', { cause });
  }
}

async function readMetadata(buffer: AsyncBuffer, file: string): Promise<FileMetaData> {
  try {
    await checkFooter(buffer, file);
    return await parquetMetadataAsync(buffer);
  } catch (cause) {
    if (cause instanceof DatasetError) throw cause;
    throw new DatasetError(file, 'it has no Parquet footer at its end; the file is truncated or damaged', {
      cause,
    });
  }
}

/** The file ends with the footer, its size in four bytes, and `PAR1`. */
async function checkFooter(buffer: AsyncBuffer, file: string): Promise<void> {
  const end = new DataView(await buffer.slice(buffer.byteLength - 8));
  const size = end.getUint32(0, true);
  const isDamaged = size > buffer.byteLength;
  if (isDamaged || size <= maxFooterBytes) return;
  throw new DatasetError(file, `its footer has ${size} bytes, but the limit is ${maxFooterBytes}`);
}

/** The columns to read; throws if the row group cannot be read. */
function chooseColumns({ columns: chunks }: RowGroup, map: ColumnMap | undefined): string[] {
  const found = chunks.flatMap(({ meta_data: chunk }) => chunk ?? []);
  const names = [...new Set(found.map(chunk => chunk.path_in_schema[0]!))];
  if (!areKnown(names, map)) throw new UnsupportedFileError(describeUnknown(names, map));
  const columns = usedColumns(names, map);
  const used = new Set(columns);
  const wanted = found.filter(chunk => used.has(chunk.path_in_schema[0]!));
  const unreadable = wanted.find(({ codec }) => !isReadable(codec));
  if (unreadable) throw new UnsupportedFileError(describeCodec(unreadable.codec));
  if (wanted.reduce((sum, chunk) => sum + Number(chunk.total_uncompressed_size), 0) > maxGroupBytes)
    throw new UnsupportedFileError('has a row group larger than 2 GiB; write smaller row groups');
  return columns;
}

function describeCodec(codec: string): string {
  const problem = codec === 'ZSTD' ? 'needs Node 22.15 or later' : 'is not supported';
  return `is compressed with ${codec}, which ${problem}; use snappy or gzip`;
}

/** An error about the whole file rather than a row group. */
class UnsupportedFileError extends Error {}

function toDamage(file: string, row: number, cause: unknown): DatasetError {
  if (cause instanceof UnsupportedFileError) return new DatasetError(file, cause.message);
  const reason = cause instanceof Error ? cause.message.slice(0, 200) : String(cause);
  return new DatasetError(file, `the row group that starts here cannot be read: ${reason}`, { row, cause });
}

interface ParquetBytes extends AsyncBuffer {
  giveUp(): void;
}

/**
 * Reads byte ranges for hyparquet, which abandons pending reads if metadata is damaged. An abandoned promise that
 * rejects would end the process, so each has a handler, and none settles after `giveUp`.
 */
async function toParquetBytes(handle: FileHandle): Promise<ParquetBytes> {
  const { size } = await handle.stat();
  let isGivenUp = false;

  async function read(start: number, end: number): Promise<ArrayBuffer> {
    await setImmediate();
    if (isGivenUp) return new Promise<never>(() => {});
    if (!(start >= 0 && start <= end && end <= size)) throw new Error('it points past the end of the file');
    const bytes = new Uint8Array(end - start);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
    if (bytesRead !== bytes.length) throw new Error('the file was truncated while it was read');
    return bytes.buffer;
  }

  return {
    byteLength: size,
    slice(start, end = size) {
      const reading = read(start, end);
      reading.catch(() => {});
      return reading;
    },
    giveUp() {
      isGivenUp = true;
    },
  };
}

type Unpack = (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array;

// Node 20 has no zstd.
const { zstdDecompressSync } = zlib as { zstdDecompressSync?: Unpack };

/** Protects against data that unpacks to more than the file declares. */
const limited = (unpack: Unpack) => (bytes: Uint8Array, size: number) =>
  unpack(bytes, { maxOutputLength: Math.max(size, 1) });

/** Decompresses the pages of Parquet files: hyparquet has snappy built in, and Node's zlib covers the rest. */
const compressors: Compressors = {
  GZIP: limited(zlib.gunzipSync),
  BROTLI: limited(zlib.brotliDecompressSync),
  ...(zstdDecompressSync && { ZSTD: limited(zstdDecompressSync) }),
};

/** Depends on the Node version. @internal */
export function isReadable(codec: CompressionCodec): boolean {
  return codec === 'UNCOMPRESSED' || codec === 'SNAPPY' || codec in compressors;
}

/**
 * Converts Parquet values to their JSON equivalents, so that rows are the same in every format. Integers become
 * numbers, or strings if a number would be inexact; dates become strings; bytes become arrays. Null fields are dropped:
 * Parquet cannot distinguish them from missing ones, but chat templates do.
 * @internal
 */
export function toPlain(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === 'bigint') return toNumber(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (ArrayBuffer.isView(value)) return Array.from(value as Uint8Array, toPlain);
  if (Array.isArray(value)) return value.map(toPlain);
  return typeof value === 'object' ? toPlainObject(value) : value;
}

/** For a row or a struct. */
function toPlainObject(value: object): Record<string, unknown> {
  const fields = Object.entries(value).filter(([, field]) => field !== undefined && field !== null);
  return Object.fromEntries(fields.map(([name, field]) => [name, toPlain(field)]));
}

function toNumber(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}
