// Writes small data sets to disk and reads them back.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FileSource } from '../../../../lib/engine/train/data/dataset.js';
import {
  type DataRow,
  type Dataset,
  DatasetError,
  openDataset,
} from '../../../../lib/engine/train/data/index.js';
import { layouts } from '../../../../lib/engine/train/data/read-rows.js';
import { temporaryFolder as makeFolder } from '../../../support/temporary-folder.js';

export const temporaryFolder = () => makeFolder('svc-data');

/** Written by pyarrow 25. */
export const parquetPath = (name: string) =>
  fileURLToPath(new URL(`parquet/${name}.parquet`, import.meta.url));

/** Writes a file into a new folder. */
export function write(name: string, content: string | Uint8Array): FileSource {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return { type: 'file', path };
}

/** All rows of a file. */
export const readAll = async (source: FileSource): Promise<DataRow[]> =>
  rowsOf(await openDataset(source, { cacheFolder: 'unused' }));

export const readText = (name: string, content: string | Uint8Array) => readAll(write(name, content));

/** All rows of a data set, in order. */
export async function rowsOf(dataset: Dataset): Promise<DataRow[]> {
  const table = await dataset.index({ scratchFolder: temporaryFolder() });
  try {
    return Array.from({ length: table.length }, (_, index) => table.read(index));
  } finally {
    table.close();
  }
}

/** The rows of a file of this format, as a stream. */
export async function* readAs(
  format: keyof typeof layouts,
  bytes: AsyncIterable<Uint8Array>,
  name = 'f',
): AsyncGenerator<DataRow> {
  const { rows, read } = layouts[format]({ name });
  for await (const found of rows(bytes)) yield read(found);
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The message of the expected `DatasetError`; any other outcome fails. */
export async function faultOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    value => new Error(`no error, but ${JSON.stringify(value)}`),
    thrown => thrown,
  );
  if (error instanceof DatasetError) return error.message;
  throw error;
}
