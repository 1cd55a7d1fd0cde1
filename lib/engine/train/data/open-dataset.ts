// Opens a data set wherever it lies: its files come to this machine, then their rows are read.
import type { DataFile, DataSource, DatasetOptions, FileFormat } from './dataset.js';
import { type IndexOptions, indexRows } from './index-rows.js';
import { openBlob } from './open-blob.js';
import { openHub } from './open-hub.js';
import { type OpenFile, openFile } from './read-rows.js';
import type { RowTable } from './row-table.js';
import { toBaseName } from './short-name.js';

export interface Dataset {
  /** The file's name, or the first one's and how many more there are. */
  readonly fileName: string;
  readonly format: FileFormat;
  /** Finds its rows, to be read in any order. A file that is damaged, or has none, is a `DatasetError`. */
  index(options: Omit<IndexOptions, 'signal'>): Promise<RowTable>;
}

/**
 * Downloads what is not on this machine and finds out the format. What is wrong with a data set, now or when its rows
 * are read, is thrown as a `DatasetError`, a cache folder that cannot be written as a `CacheError`; a `signal` that is
 * aborted throws its own reason.
 */
export async function openDataset(source: DataSource, options: DatasetOptions): Promise<Dataset> {
  const found = await findFiles(source, options);
  const files: OpenFile[] = [];
  for (const file of found) files.push(await openFile(file, options.signal));
  const [{ name, format }] = files as [OpenFile];
  return {
    fileName: files.length === 1 ? name : `${name} and ${files.length - 1} more`,
    format,
    index: how => indexRows(files, { ...how, signal: options.signal }),
  };
}

async function findFiles(source: DataSource, options: DatasetOptions): Promise<DataFile[]> {
  switch (source.type) {
    case 'file':
      return [{ path: source.path, name: toBaseName(source.fileName ?? source.path) }];
    case 'blob':
      return [await openBlob(source, options)];
    case 'huggingface':
      return openHub(source, options);
  }
}
