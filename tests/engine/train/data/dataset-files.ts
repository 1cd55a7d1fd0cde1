// Writes small data sets to disk and reads them back.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type DataRow,
  type Dataset,
  DatasetError,
  type FileSource,
  openDataset,
} from '../../../../lib/engine/train/data/index.js';
import { temporaryFolder as makeFolder } from '../../../support/temporary-folder.js';

export const temporaryFolder = () => makeFolder('svc-data');

/** Writes files into a new folder and returns them as sources. */
export function createFiles(): (name: string, content: string | Uint8Array) => FileSource {
  const folder = temporaryFolder();
  return (name, content) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return { type: 'file', path };
  };
}

/** All rows of a file. */
export async function readAll(source: FileSource): Promise<DataRow[]> {
  return rowsOf(await openDataset(source, { cacheFolder: 'unused' }));
}

/** All rows of a data set, in order. */
export async function rowsOf(dataset: Dataset): Promise<DataRow[]> {
  const table = await dataset.index({ scratchFolder: temporaryFolder() });
  try {
    return Array.from({ length: table.length }, (_, index) => table.read(index));
  } finally {
    table.close();
  }
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
