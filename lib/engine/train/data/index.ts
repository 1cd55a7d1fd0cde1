// Reads data sets from a file, the Hub or a URL.
export { CacheError } from './cache-folder.js';
export { countRows } from './count-rows.js';
export type {
  BlobSource,
  DataFile,
  DataRow,
  DataSource,
  DatasetOptions,
  FileFormat,
  FileSource,
  HuggingFaceSource,
} from './dataset.js';
export { codeOf, DatasetError } from './dataset-error.js';
export { hashRows } from './hash-rows.js';
export { ANY_COLUMNS, areKnown, describeUnknown } from './known-columns.js';
export { openBlob } from './open-blob.js';
export { type Dataset, openDataset } from './open-dataset.js';
export { maxRowBytes } from './row-buffer.js';
export type { RowTable } from './row-table.js';
export { openScratchFile, readAt, type ScratchFile } from './scratch-file.js';
export { splitByContent } from './split-evaluation.js';
