// Uploaded data sets. Bytes are stored once, under their digest, no matter who uploads them.

import { copyFile, link, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../clock/index.js';
import { ApiError, type Collected, type ColumnMap, type Dataset } from '../../contract/index.js';
import type { FileFormat, FileReader } from '../../engine/index.js';
import { UPLOAD_LIMIT } from '../../http/index.js';
import { createMutex, rename, syncFolder } from '../../system/index.js';
import { addUp, listNames, noGarbage, type OpenedFile, openFile, removeAll } from '../disk/files.js';
import type { Folders } from '../disk/folders.js';
import type { Db } from '../store/db.js';
import { deleteUnread, isOwned, putRow, type Releasable, withoutOwner } from './dataset-rows.js';
import { openPartialUploads, type PartialName } from './partial-uploads.js';
import type { Upload, UploadDesk } from './receive-upload.js';

export interface DatasetStore {
  /** Throws `dataset_invalid` for a file that cannot be trained on. */
  upload(origin: UploadOrigin, body: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<Dataset>;
  /** Adds a file of this cloud, whose bytes no longer change. Work that is interrupted may add it again. */
  add(origin: UploadOrigin, path: string): Promise<Dataset>;
  /** Resumable uploads. */
  partial: {
    /** How many bytes have arrived; null if none. Reports all of them if the organization already has this content. */
    offsetOf(name: PartialName): Promise<number | null>;
    append(name: PartialName, offset: number, body: ReadableStream<Uint8Array>): Promise<number>;
    /** Throws `upload_conflict` if not all bytes have arrived, `dataset_invalid` if they cannot be trained on. */
    finish(origin: UploadOrigin, sha256: string, signal?: AbortSignal): Promise<Dataset>;
  };
  /** The bytes as they were uploaded. */
  open(sha256: string): Promise<OpenedFile>;
  /** Deletes those that no job reads and no file names. */
  release(which: Releasable): Promise<Collected>;
  /** Deletes files that belong to no data set and no upload in progress. */
  sweep(): Promise<Collected>;
}

interface UploadOrigin {
  orgId: string;
  fileName: string;
  /** Whether it holds rows to train on, which are checked. Asked once all has arrived; default: yes. */
  hasRows?: () => boolean;
  /** Whether what is in the rows is checked, too: jobs can name no other columns for them. Default: no. */
  checksRows?: boolean;
  /** The columns to use in place of the standard ones. */
  columns?: ColumnMap | undefined;
  /** Whether it waits for a job or file that names it. Default: yes. */
  isUnclaimed?: boolean;
  /** Part of work that was already accepted, so it is read however long the queue is. */
  isAccepted?: boolean;
}

interface StoreContext {
  db: Db;
  files: FileReader;
  folders: Folders;
  desk: UploadDesk;
  clock: Clock;
}

export function createDatasetStore(context: StoreContext): DatasetStore {
  const { db, folders, desk } = context;
  /** Serializes adding and removing of files and rows; otherwise a file could become needed between the two. */
  const exclusively = createMutex();
  const pieces = openPartialUploads(folders.uploads, context.clock);

  async function removeOwnerless(digests: readonly string[]): Promise<Collected> {
    const files = await withoutOwner(db, digests);
    return removeAll(files.map(file => join(folders.datasets, file)));
  }

  async function removeCutOff(): Promise<Collected> {
    const files: string[] = [];
    for (const file of await listNames(folders.uploads))
      if (!desk.isLive(file) && !(await pieces.isKept(file))) files.push(join(folders.uploads, file));
    return removeAll(files);
  }

  async function take(upload: Upload, origin: UploadOrigin, signal?: AbortSignal): Promise<Dataset> {
    const content = await inspect(context, upload, origin, signal);
    return exclusively(() => place(context, origin, upload.path, content));
  }

  /** Adds the content of a file under another name. */
  async function takeStored(path: string, origin: UploadOrigin, signal?: AbortSignal): Promise<Dataset> {
    return desk.reserve(async copy => {
      await link(path, copy).catch(() => copyFile(path, copy));
      return take({ path: copy, bytes: (await stat(copy)).size }, origin, signal);
    });
  }

  async function findStored({ orgId, sha256 }: PartialName): Promise<{ path: string; bytes: number } | null> {
    if (!(await isOwned(db, orgId, sha256))) return null;
    const path = join(folders.datasets, sha256);
    const found = await stat(path).catch(() => null);
    return found && { path, bytes: found.size };
  }

  return {
    upload: (origin, body, signal) => desk.receive(body, upload => take(upload, origin, signal)),
    add: (origin, path) => takeStored(path, { ...origin, isUnclaimed: false }),
    partial: {
      offsetOf: async name => (await findStored(name))?.bytes ?? (await pieces.offsetOf(name)),
      append: (name, offset, body) => pieces.append(name, { offset, body, limit: UPLOAD_LIMIT }),
      async finish(origin, sha256, signal) {
        const name = { orgId: origin.orgId, sha256 };
        const arrived = await pieces.finish(name, async upload => {
          const digest = await context.files.run(
            'digestFile',
            { path: upload.path },
            { caller: origin.orgId, signal },
          );
          if (digest.sha256 === sha256) return take(upload, origin, signal);
          await pieces.discard(name);
          throw new ApiError(
            'upload_conflict',
            'What has arrived does not have this digest, so it was discarded. Upload it again.',
          );
        });
        if (arrived) return arrived;
        const stored = await findStored(name);
        if (stored) return takeStored(stored.path, origin, signal);
        throw new ApiError('upload_conflict', 'Nothing of this upload has arrived. Send its bytes first.');
      },
    },
    open: sha256 => openFile(join(folders.datasets, sha256)),
    release: async which =>
      'ids' in which && which.ids.length === 0
        ? noGarbage
        : exclusively(async () => removeOwnerless(await deleteUnread(db, which))),
    sweep: () =>
      exclusively(async () =>
        addUp([await removeCutOff(), await removeOwnerless(await listNames(folders.datasets))]),
      ),
  };
}

interface Content {
  sha256: string;
  bytes: number;
  rows: number;
  format: string;
}

/** In wire format. */
const FORMATS: Record<FileFormat, string> = {
  'json-lines': 'jsonl',
  'json-list': 'json',
  csv: 'csv',
  tsv: 'tsv',
  parquet: 'parquet',
};

async function inspect(
  { files }: StoreContext,
  { path, bytes }: Upload,
  { orgId: caller, fileName: name, columns, isAccepted, checksRows, hasRows = () => true }: UploadOrigin,
  signal?: AbortSignal,
): Promise<Content> {
  const asked = { caller, signal, isAccepted };
  if (!hasRows()) {
    if (bytes === 0) throw new ApiError('invalid_value', `${name}: the file is empty.`, { param: 'file' });
    const { sha256 } = await files.run('digestFile', { path }, asked);
    return { sha256, bytes, rows: 0, format: 'bytes' };
  }
  if (bytes === 0) throw new ApiError('dataset_invalid', `${name}: contains no rows`);
  const { format, ...counted } = await files.run('inspect', { path, name, columns, checksRows }, asked);
  return { ...counted, bytes, format: FORMATS[format] };
}

/** Renames first: after a power cut, a row without its file would fail every job that names it. */
async function place(
  { db, folders, clock }: StoreContext,
  { orgId, fileName, isUnclaimed = true }: UploadOrigin,
  path: string,
  content: Content,
): Promise<Dataset> {
  await mkdir(folders.datasets, { recursive: true });
  await rename(path, join(folders.datasets, content.sha256));
  await syncFolder(folders.datasets);
  const created_at = new Date(clock.now()).toISOString();
  const unclaimed = isUnclaimed ? 1 : 0;
  return putRow(db, { org_id: orgId, file_name: fileName, created_at, unclaimed, ...content });
}
