// All work on files that takes more than a moment, done in the process that reads files.
import { stat } from 'node:fs/promises';
import { describeAdapter } from '../train/artifact.js';
import { countRows, type DataFile, openBlob } from '../train/data/index.js';
import { digestFile } from '../train/digest-file.js';
import { writeTokens } from '../train/tokens/write-tokens.js';
import { checkAdapter } from './check-adapter.js';
import type { FileWork, WorkKind } from './messages.js';
import { previewData } from './preview-data.js';
import { readRows } from './read-rows.js';

type Workers = {
  [K in WorkKind]: (input: FileWork[K]['input'], signal: AbortSignal) => Promise<FileWork[K]['result']>;
};

const workers: Workers = {
  inspect,
  download: ({ source, options }, signal) => openBlob(source, { ...options, signal }),
  checkAdapter,
  readRows,
  previewData,
  writeTokens: (request, signal) => writeTokens({ ...request, signal }),
  digestFile: async ({ path }, signal) => ({
    bytes: (await stat(path)).size,
    sha256: await digestFile(path, signal),
  }),
  digestAdapter: async ({ folder }) => (await describeAdapter(folder, 'final', 0)).sha256,
};

export function doWork<K extends WorkKind>(
  kind: K,
  input: FileWork[K]['input'],
  signal: AbortSignal,
): Promise<FileWork[K]['result']> {
  return workers[kind](input, signal);
}

/** Rows first: a file that cannot be trained on needs no digest. */
async function inspect(file: DataFile, signal: AbortSignal): Promise<FileWork['inspect']['result']> {
  const counted = await countRows(file, signal);
  return { ...counted, sha256: await digestFile(file.path, signal) };
}
