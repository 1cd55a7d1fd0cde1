// Counts the rows of a file and detects its format before anything trains on it. Checks every row, except in Parquet, where
// only the footer is read.
import { setImmediate } from 'node:timers/promises';
import type { DataFile, FileFormat } from './dataset.js';
import { DatasetError } from './dataset-error.js';
import { countParquetRows } from './read-parquet.js';
import { openFile, readRows } from './read-rows.js';
import { toBaseName } from './short-name.js';

/** Yields to the event loop after this many rows, so that an abort message can arrive. */
const ROWS_PER_TURN = 1000;

/** Throws a `DatasetError` if the format is unknown, a row is invalid, or there are no rows. */
export async function countRows(
  { path, name, columns }: DataFile,
  signal?: AbortSignal,
  maxUnzipped?: number,
): Promise<{ format: FileFormat; rows: number }> {
  const file = await openFile({ path, name: toBaseName(name), columns }, signal);
  const { format } = file;
  if (format !== 'parquet') return { format, rows: await countItems(readRows([file], signal, maxUnzipped)) };
  const rows = await countParquetRows(file);
  if (rows === 0) throw new DatasetError(file.name, 'contains no rows');
  return { format, rows };
}

async function countItems(items: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of items) if (++count % ROWS_PER_TURN === 0) await setImmediate();
  return count;
}
