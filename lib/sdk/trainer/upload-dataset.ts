// Turns a dataset into a source the cloud can read. Local files and rows are uploaded; the cloud stores identical bytes
// only once.
import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { CloudClient } from '../../client/index.js';
import { type Clock, realClock } from '../../clock/index.js';
import { ApiError, type ColumnMap, type Dataset, type DatasetSource } from '../../contract/index.js';
import { type MapProgress, withMappedRows } from './map-rows.js';
import type { DatasetInput } from './options.js';
import { type UploadProgress, uploadPieces } from './upload-pieces.js';

export interface UploadContext {
  /** The project's folder. */
  folder: string;
  cloud(): Promise<CloudClient>;
  /** The trainer's own function is run on the rows. */
  onMap?: ((progress: MapProgress) => void) | undefined;
  onUpload?: ((progress: UploadProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
  /** Larger files are uploaded in pieces. */
  wholeBytes?: number | undefined;
  clock?: Clock;
}

const WHOLE_BYTES = 8 * 1024 ** 2;

export async function toDatasetSource(input: DatasetInput, context: UploadContext): Promise<DatasetSource> {
  if (input.type === 'rows') {
    const rows = { name: 'rows.jsonl', blob: toBlob(input.rows), columns: undefined };
    return toSource(await uploadWhole(rows, context));
  }
  const { map, ...source } = input;
  if (map) {
    const { id } = await withMappedRows({ ...source, map }, context, (path, name) =>
      uploadFile({ path, name: nameMapped(name), columns: undefined }, context),
    );
    return toSource({ id });
  }
  if (source.type !== 'file') return source;
  const { columns } = source;
  const path = resolve(context.folder, source.path);
  return toSource(await uploadFile({ path, name: basename(path), columns }, context), columns);
}

function toSource({ id }: Pick<Dataset, 'id'>, columns?: ColumnMap): DatasetSource {
  return { type: 'upload', datasetId: id, ...(columns && { columns }) };
}

/** Its ending says that it is JSON lines now; the rest, where its rows come from. */
function nameMapped(name: string): string {
  return `${name.replace(/\.\w+(\.gz)?$/, '')}.mapped.jsonl`;
}

interface LocalFile {
  path: string;
  name: string;
  columns: ColumnMap | undefined;
}

async function uploadFile({ path, name, columns }: LocalFile, context: UploadContext): Promise<Dataset> {
  const {
    cloud,
    signal,
    onUpload: onProgress = () => {},
    wholeBytes = WHOLE_BYTES,
    clock = realClock,
  } = context;
  const file = { name, blob: await openFile(path), columns };
  if (file.blob.size <= wholeBytes) return uploadWhole(file, context);
  const uploaded = await uploadPieces({ ...file, path, cloud, onProgress, signal, clock });
  return uploaded ?? uploadWhole(file, context);
}

async function uploadWhole(
  { name, blob, columns }: { name: string; blob: Blob; columns: ColumnMap | undefined },
  { cloud, signal }: UploadContext,
): Promise<Dataset> {
  return (await (await cloud()).uploadDataset(name, blob, { signal, columns })).dataset;
}

async function openFile(path: string): Promise<Blob> {
  const reason = await stat(path).then(
    found => (found.isFile() ? null : 'is not a file'),
    (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`,
  );
  if (reason) throw new ApiError('dataset_invalid', `Dataset ${path} ${reason}.`, { param: 'dataset.path' });
  return openAsBlob(path);
}

function toBlob(rows: readonly object[]): Blob {
  return new Blob(rows.map(row => `${JSON.stringify(row)}\n`));
}
