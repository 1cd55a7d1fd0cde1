// Uploaded data sets: the bytes once, under their digest, whoever uploads them.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, type Collected, type Dataset } from '../../contract/index.js';
import { countRows, DatasetError, type FileFormat } from '../../engine/index.js';
import { rename } from '../../rename.js';
import { addUp, listNames, noGarbage, removeAll } from '../jobs/garbage-files.js';
import type { JobContext } from '../jobs/job-context.js';
import { deleteUnread, putRow, withoutOwner } from './dataset-rows.js';
import { openUploadDesk, type Upload } from './receive-upload.js';
import { createTurns } from './turns.js';

export interface DatasetStore {
  /** Throws `dataset_invalid` for what cannot be trained on. */
  upload(origin: UploadOrigin, body: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<Dataset>;
  /** Deletes those that no job reads and that were not uploaded again since, all or some of them. */
  release(which: { ids?: readonly string[]; uploadedUntil: string }): Promise<Collected>;
  /** Deletes files that belong to no data set and to no upload under way. */
  sweep(): Promise<Collected>;
}

export interface UploadOrigin {
  orgId: string;
  fileName: string;
}

type StoreContext = Pick<JobContext, 'db' | 'folders' | 'now'>;

export function createDatasetStore(context: StoreContext): DatasetStore {
  const { db, folders } = context;
  const desk = openUploadDesk(folders.uploads);
  /** Files and their rows come and go one at a time: between the two somebody could begin to need them. */
  const inTurn = createTurns();

  async function removeOwnerless(digests: readonly string[]): Promise<Collected> {
    const files = await withoutOwner(db, digests);
    return removeAll(files.map(file => join(folders.datasets, file)));
  }

  async function removeCutOff(): Promise<Collected> {
    const files = (await listNames(folders.uploads)).filter(file => !desk.isLive(file));
    return removeAll(files.map(file => join(folders.uploads, file)));
  }

  return {
    upload: (origin, body, signal) =>
      desk.receive(body, async upload => {
        const counted = await count(upload, origin.fileName, signal);
        return inTurn(() => place(context, origin, upload, counted));
      }),
    release: async which =>
      which.ids?.length === 0
        ? noGarbage
        : inTurn(async () => removeOwnerless(await deleteUnread(db, which))),
    sweep: () =>
      inTurn(async () =>
        addUp([await removeCutOff(), await removeOwnerless(await listNames(folders.datasets))]),
      ),
  };
}

interface Counted {
  rows: number;
  format: string;
}

/** As the wire has them. */
const FORMATS: Record<FileFormat, string> = {
  'json-lines': 'jsonl',
  'json-list': 'json',
  csv: 'csv',
  tsv: 'tsv',
  parquet: 'parquet',
};

async function count({ path, bytes }: Upload, name: string, signal?: AbortSignal): Promise<Counted> {
  if (bytes === 0) throw new ApiError('dataset_invalid', `${name}: holds no rows`);
  try {
    const { rows, format } = await countRows({ path, name }, signal);
    return { rows, format: FORMATS[format] };
  } catch (error) {
    throw error instanceof DatasetError ? new ApiError('dataset_invalid', error.message) : error;
  }
}

async function place(
  { db, folders, now }: StoreContext,
  { orgId, fileName }: UploadOrigin,
  { path, sha256, bytes }: Upload,
  counted: Counted,
): Promise<Dataset> {
  await mkdir(folders.datasets, { recursive: true });
  await rename(path, join(folders.datasets, sha256));
  const created_at = now().toISOString();
  return putRow(db, { org_id: orgId, sha256, bytes, file_name: fileName, created_at, ...counted });
}
