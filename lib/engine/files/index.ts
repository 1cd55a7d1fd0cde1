// The door of the reading of files in a process of its own.
export { type FileReader, type FileReaderOptions, startFileReader } from './start-file-reader.js';
