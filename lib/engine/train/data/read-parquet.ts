// Reads Parquet one row group at a time, and only the columns that training uses.
import { open } from 'node:fs/promises';
import {
  type AsyncBuffer,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  type RowGroup,
} from 'hyparquet';
import type { ColumnMap, DataFile, DataRow } from './dataset.js';
import { DatasetError } from './dataset-error.js';
import { areKnown, describeUnknown, parseJsonColumns, toRow, usedColumns } from './known-columns.js';
import { toParquetBytes } from './parquet-bytes.js';
import { compressors, isReadable } from './parquet-codecs.js';
import { toPlainObject } from './plain-values.js';

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
