// What the process that reads files does: all work on files that takes more than a moment of computing.
import { describeAdapter } from '../train/artifact.js';
import { countRows, type DataFile, openBlob } from '../train/data/index.js';
import { digestFile } from '../train/digest-file.js';
import type { FileWork, Kind } from './messages.js';

type Workers = {
  [K in Kind]: (given: FileWork[K]['given'], signal: AbortSignal) => Promise<FileWork[K]['result']>;
};

const workers: Workers = {
  inspect,
  download: ({ source, options }, signal) => openBlob(source, { ...options, signal }),
  digestAdapter: async ({ folder }) => (await describeAdapter(folder, 'final', 0)).sha256,
};

export function doWork<K extends Kind>(
  kind: K,
  given: FileWork[K]['given'],
  signal: AbortSignal,
): Promise<FileWork[K]['result']> {
  return workers[kind](given, signal);
}

/** Rows first: what cannot be trained on needs no digest. */
async function inspect(file: DataFile, signal: AbortSignal): Promise<FileWork['inspect']['result']> {
  const counted = await countRows(file, signal);
  return { ...counted, sha256: await digestFile(file.path, signal) };
}
