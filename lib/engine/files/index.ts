// Reads files in a separate process.
export type { CheckedAdapter } from './messages.js';
export { type FileReader, startFileReader } from './start-file-reader.js';
