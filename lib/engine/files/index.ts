// Reads files in separate processes.
export type { CheckedAdapter, PreviewedData } from './messages.js';
export { type AskedWork, type FileReader, startFileReader } from './start-file-reader.js';
