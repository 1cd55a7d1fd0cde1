// Reads the rows of files in any format.
import { setImmediate } from 'node:timers/promises';
import { TextError } from '../../text/errors.js';
import {
  type DataFile,
  type DataRow,
  DatasetError,
  type FileFormat,
  type NamedFile,
  toBaseName,
} from './dataset.js';
import { detectFormat } from './file-format.js';
import { checkFile, isGzip, readBytes, readHead } from './read-bytes.js';
import { csvLayout } from './read-csv.js';
import { jsonLayout, splitJsonLines, splitJsonList } from './read-json.js';
import { countParquetRows, readParquet } from './read-parquet.js';
import type { Layout } from './row-buffer.js';

/** A file whose format is known. */
export interface OpenFile extends DataFile {
  readonly format: FileFormat;
}

export const layouts: Record<Exclude<FileFormat, 'parquet'>, (file: NamedFile) => Layout> = {
  'json-lines': file => jsonLayout(file, splitJsonLines),
  'json-list': file => jsonLayout(file, splitJsonList),
  csv: file => csvLayout(file, ','),
  tsv: file => csvLayout(file, '\t'),
};

async function* readFile(
  file: OpenFile,
  signal: AbortSignal | undefined,
  maxUnzipped: number | undefined,
): AsyncGenerator<DataRow> {
  if (file.format === 'parquet') return yield* readParquet(file, signal);
  const { rows, read } = layouts[file.format](file);
  for await (const found of rows(readBytes(file, signal, maxUnzipped))) yield read(found);
}

/** Throws if the file is missing or its format is not supported. */
export async function openFile(file: DataFile, signal?: AbortSignal): Promise<OpenFile> {
  await checkFile(file);
  const head = await readHead(file, signal);
  return { ...file, format: detectFormat(file, head, await isGzip(file)) };
}

/** The rows of all files in order; throws if there are none. */
export async function* readRows(
  files: readonly OpenFile[],
  signal?: AbortSignal,
  maxUnzipped?: number,
): AsyncGenerator<DataRow> {
  let isEmpty = true;
  for (const file of files) {
    for await (const row of readFile(file, signal, maxUnzipped)) {
      isEmpty = false;
      yield row;
    }
  }
  if (isEmpty) throw new DatasetError(files[0]?.name ?? 'data', 'contains no rows');
}

/** Yields to the event loop after this many rows, so that an abort message can arrive. */
const ROWS_PER_TURN = 1000;

interface CountOptions {
  /** Checks what is in the columns as well. Throws a `TextError`. */
  check?: ((row: DataRow['row']) => void) | undefined;
  signal?: AbortSignal | undefined;
  maxUnzipped?: number | undefined;
}

/**
 * Counts the rows of a file and detects its format before anything trains on it. Checks every row, except in Parquet,
 * where only the footer is read. Throws a `DatasetError` if the format is unknown, a row is invalid, or there are no
 * rows.
 */
export async function countRows(
  { path, name, columns }: DataFile,
  { check, signal, maxUnzipped }: CountOptions = {},
): Promise<{ format: FileFormat; rows: number }> {
  const file = await openFile({ path, name: toBaseName(name), columns }, signal);
  const { format } = file;
  if (format !== 'parquet') {
    const found = readRows([file], signal, maxUnzipped);
    return { format, rows: await countItems(check ? checkRows(found, check) : found) };
  }
  const rows = await countParquetRows(file);
  if (rows === 0) throw new DatasetError(file.name, 'contains no rows');
  return { format, rows };
}

async function* checkRows(
  found: AsyncIterable<DataRow>,
  check: NonNullable<CountOptions['check']>,
): AsyncGenerator<DataRow> {
  for await (const { row, file, number } of found) {
    try {
      check(row);
    } catch (cause) {
      if (cause instanceof TextError) throw new DatasetError(file, cause.message, { row: number, cause });
      throw cause;
    }
    yield { row, file, number };
  }
}

async function countItems(items: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of items) if (++count % ROWS_PER_TURN === 0) await setImmediate();
  return count;
}
