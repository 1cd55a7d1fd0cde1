// Reads files in a separate process.
export type { CheckedAdapter, PreviewedData } from './messages.js';
export { type FileReader, startFileReader } from './start-file-reader.js';
