// Reads files in a separate process.
export { type FileReader, type FileReaderOptions, startFileReader } from './start-file-reader.js';
