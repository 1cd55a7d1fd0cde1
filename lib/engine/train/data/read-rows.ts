// Reads the rows of files in any format.
import type { DataFile, DataRow, FileFormat } from './dataset.js';
import { DatasetError } from './dataset-error.js';
import { detectFormat } from './file-format.js';
import { checkFile, isGzip, readBytes, readHead } from './read-bytes.js';
import { readCsv } from './read-csv.js';
import { readJsonLines } from './read-json-lines.js';
import { readJsonList } from './read-json-list.js';
import { readParquet } from './read-parquet.js';

/** A file whose format is known. */
export interface OpenFile extends DataFile {
  readonly format: FileFormat;
}

type Reader = (
  file: DataFile,
  signal: AbortSignal | undefined,
  maxUnzipped?: number,
) => AsyncIterable<DataRow>;

const readers: Record<FileFormat, Reader> = {
  'json-lines': (file, ...options) => readJsonLines(readBytes(file, ...options), file.name, file.columns),
  'json-list': (file, ...options) => readJsonList(readBytes(file, ...options), file.name, file.columns),
  csv: (file, ...options) => readCsv(readBytes(file, ...options), file.name, ',', file.columns),
  tsv: (file, ...options) => readCsv(readBytes(file, ...options), file.name, '\t', file.columns),
  parquet: readParquet,
};

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
    for await (const row of readers[file.format](file, signal, maxUnzipped)) {
      isEmpty = false;
      yield row;
    }
  }
  if (isEmpty) throw new DatasetError(files[0]?.name ?? 'data', 'contains no rows');
}
