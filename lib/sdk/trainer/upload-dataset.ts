// Turns a dataset into a source the cloud can read. Local files and rows are uploaded; the cloud stores identical bytes
// only once.
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { CloudClient } from '../../client/index.js';
import { ApiError, type DatasetSource } from '../../contract/index.js';
import type { DatasetInput } from './options.js';

export async function toDatasetSource(
  input: DatasetInput,
  folder: string,
  cloud: CloudClient,
  signal?: AbortSignal,
): Promise<DatasetSource> {
  if (input.type === 'huggingface' || input.type === 'blob') return input;
  const { name, blob } = input.type === 'file' ? await openFile(input.path, folder) : rowsBlob(input.rows);
  const columns = input.type === 'file' ? input.columns : undefined;
  const { dataset } = await cloud.uploadDataset(name, blob, { signal, columns });
  return { type: 'upload', datasetId: dataset.id, ...(columns && { columns }) };
}

async function openFile(given: string, folder: string): Promise<{ name: string; blob: Blob }> {
  const path = resolve(folder, given);
  const reason = await stat(path).then(
    found => (found.isFile() ? null : 'is not a file'),
    (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`,
  );
  if (reason) throw new ApiError('dataset_invalid', `Dataset ${path} ${reason}.`, { param: 'dataset.path' });
  return { name: basename(path), blob: await openAsBlob(path) };
}

function rowsBlob(rows: readonly object[]): { name: string; blob: Blob } {
  return { name: 'rows.jsonl', blob: new Blob(rows.map(row => `${JSON.stringify(row)}\n`)) };
}
