// Tar archives in ustar format: adapters on their way to and from a cloud, and backups.
export { readTar, TarError } from './read-tar.js';
export { toTarBlob } from './tar-blob.js';
export { archiveFiles, openArchive } from './write-tar.js';
