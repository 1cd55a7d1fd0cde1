// Reads files in a separate process.
export { type FileReader, startFileReader } from './start-file-reader.js';
