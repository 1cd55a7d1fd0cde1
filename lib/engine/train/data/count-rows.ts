// How many rows a file holds, and in which format, for whoever takes it in before anything is trained on it: every row
// is read and checked, but of Parquet only the footer.
import { setImmediate } from 'node:timers/promises';
import type { DataFile, FileFormat } from './dataset.js';
import { DatasetError } from './dataset-error.js';
import { countParquetRows } from './read-parquet.js';
import { openFile, readRows } from './read-rows.js';
import { toBaseName } from './short-name.js';

/** After so many rows whoever waits in this process gets a turn, such as the message that ends the counting. */
const BREATH = 1000;

/** Throws a `DatasetError` for what cannot be trained on: an unknown format, a row that is none, no rows at all. */
export async function countRows(
  { path, name }: DataFile,
  signal?: AbortSignal,
  maxUnzipped?: number,
): Promise<{ format: FileFormat; rows: number }> {
  const file = await openFile({ path, name: toBaseName(name) }, signal);
  const { format } = file;
  if (format !== 'parquet') return { format, rows: await countItems(readRows([file], signal, maxUnzipped)) };
  const rows = await countParquetRows(file);
  if (rows === 0) throw new DatasetError(file.name, 'holds no rows');
  return { format, rows };
}

async function countItems(items: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of items) if (++count % BREATH === 0) await setImmediate();
  return count;
}
