// A table from formats to their readers, and the rows of several files as one.
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
  'json-lines': (file, ...how) => readJsonLines(readBytes(file, ...how), file.name),
  'json-list': (file, ...how) => readJsonList(readBytes(file, ...how), file.name),
  csv: (file, ...how) => readCsv(readBytes(file, ...how), file.name, ','),
  tsv: (file, ...how) => readCsv(readBytes(file, ...how), file.name, '\t'),
  parquet: readParquet,
};

/** Finds out the format; a file that is not there, or of no format that is read, is refused. */
export async function openFile(file: DataFile, signal?: AbortSignal): Promise<OpenFile> {
  await checkFile(file);
  const head = await readHead(file, signal);
  return { ...file, format: detectFormat(file, head, await isGzip(file)) };
}

/** The rows of the files, one after the other; having none at all is an error. */
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
  if (isEmpty) throw new DatasetError(files[0]?.name ?? 'data', 'holds no rows');
}
