// Reads data sets from a file, the Hub or a URL.
export { countRows } from './count-rows.js';
export type { BlobSource, DataFile, DataRow, DataSource, DatasetOptions, FileFormat } from './dataset.js';
export { codeOf, DatasetError } from './dataset-error.js';
export { hashRows } from './hash-rows.js';
export { ANY_COLUMNS, areKnown, describeUnknown } from './known-columns.js';
export { openBlob } from './open-blob.js';
export { openDataset } from './open-dataset.js';
export type { RowTable } from './row-table.js';
export { openScratchFile, readAt, type ScratchFile } from './scratch-file.js';
export { splitByContent } from './split-evaluation.js';
