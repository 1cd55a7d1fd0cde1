// Reads data sets from a file, the Hub or a URL.
import {
  type DataFile,
  type DataRow,
  type DataSource,
  type DatasetOptions,
  type FileFormat,
  toBaseName,
} from './dataset.js';
import { type IndexOptions, indexRows } from './index-rows.js';
import { openBlob } from './open-blob.js';
import { openHub } from './open-hub.js';
import { type OpenFile, openFile, readRows } from './read-rows.js';
import type { RowTable } from './row-table.js';

export type { BlobSource, DataFile, DataRow, DataSource, DatasetOptions, FileFormat } from './dataset.js';
export { codeOf, DatasetError } from './dataset.js';
export { ANY_COLUMNS, ANY_PARSED, areKnown, describeUnknown } from './known-columns.js';
export { openBlob } from './open-blob.js';
export { countRows } from './read-rows.js';
export type { RowTable } from './row-table.js';
export { openScratchFile, readAt, type ScratchFile } from './scratch-file.js';
export { hashRows, splitByContent } from './split-evaluation.js';

export interface Dataset {
  /** The file's name, or the first file's name and how many more there are. */
  readonly fileName: string;
  readonly format: FileFormat;
  /** All rows in order, as a stream. */
  rows(): AsyncIterable<DataRow>;
  /** Finds all rows, so that they can be read in any order. Throws a `DatasetError` if it is damaged or has no rows. */
  index(options: Omit<IndexOptions, 'signal'>): Promise<RowTable>;
}

/**
 * Opens a data set from any source: downloads its files if necessary, and detects their format. Problems with the data
 * set, now or when its rows are read, throw a `DatasetError`; problems with the cache folder throw a `CacheError`;
 * aborting throws the signal's reason.
 */
export async function openDataset(source: DataSource, options: DatasetOptions): Promise<Dataset> {
  const found = await findFiles(source, options);
  const files: OpenFile[] = [];
  for (const file of found) files.push(await openFile(file, options.signal));
  const [{ name, format }] = files as [OpenFile];
  return {
    fileName: files.length === 1 ? name : `${name} and ${files.length - 1} more`,
    format,
    rows: () => readRows(files, options.signal),
    index: indexOptions => indexRows(files, { ...indexOptions, signal: options.signal }),
  };
}

async function findFiles(source: DataSource, options: DatasetOptions): Promise<DataFile[]> {
  const files = await locateFiles(source, options);
  return source.columns ? files.map(file => ({ ...file, columns: source.columns })) : files;
}

async function locateFiles(source: DataSource, options: DatasetOptions): Promise<DataFile[]> {
  switch (source.type) {
    case 'file':
      return [{ path: source.path, name: toBaseName(source.fileName ?? source.path) }];
    case 'blob':
      return [await openBlob(source, options)];
    case 'huggingface':
      return openHub(source, options);
  }
}
