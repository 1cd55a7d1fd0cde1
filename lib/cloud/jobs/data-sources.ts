// A job's data sources: turns a request's references into sources that stay the same, by digest or by the name of a
// download.
import { basename } from 'node:path';
import type { DatasetSource, RunSource } from '../../contract/index.js';
import type { AskedWork } from '../../engine/index.js';
import type { Db } from '../store/db.js';
import type { JobContext } from './job-context.js';
import type { BlobSource, Role } from './secrets.js';

/** A downloaded file: its name among the cloud's downloads, and its original name. */
export interface Download {
  file: string;
  name: string | null;
}

/** `findDownload` returns a URL's download. Null if the upload or download is missing. */
export async function findSource(
  db: Db,
  orgId: string,
  source: DatasetSource,
  findDownload: (source: BlobSource) => Promise<Download | null>,
): Promise<RunSource | null> {
  const { columns } = source;
  switch (source.type) {
    case 'upload': {
      const dataset = await db
        .selectFrom('datasets')
        .select(['sha256', 'file_name as fileName'])
        .where('id', '=', source.datasetId)
        .where('org_id', '=', orgId)
        .executeTakeFirst();
      return dataset ? { type: 'file', ...dataset, ...(columns && { columns }) } : null;
    }
    case 'blob': {
      const download = await findDownload(source);
      if (!download) return null;
      return { type: 'download', name: download.file, fileName: download.name, ...(columns && { columns }) };
    }
    case 'huggingface':
      return source;
  }
}

/** A job's download; undefined for a source without secrets that was not fetched yet. */
export function readDownload(
  db: Db,
  jobId: string,
  role: Role,
): Promise<{ file: string | null; name: string | null } | undefined> {
  return db
    .selectFrom('job_downloads')
    .select(['file', 'name'])
    .where('job_id', '=', jobId)
    .where('role', '=', role)
    .executeTakeFirst();
}

export async function fetchSource(
  { files, folders, deps }: Pick<JobContext, 'deps' | 'files' | 'folders'>,
  source: BlobSource,
  asked: AskedWork,
): Promise<Download> {
  const options = { cacheFolder: folders.downloads, allowPrivateAddresses: !deps.exposed };
  const { path, name } = await files.run('download', { source, options }, asked);
  return { file: basename(path), name: name ?? null };
}
