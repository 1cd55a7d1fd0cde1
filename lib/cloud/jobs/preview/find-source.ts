// Where the rows of a data set are that no job reads yet. What a URL serves is downloaded once for each caller while the
// cloud runs, so that the pages of a preview show the same rows.
import { join } from 'node:path';
import { ApiError, type DatasetSource } from '../../../contract/index.js';
import { type DataFile, DatasetError, type TrainTask } from '../../../engine/index.js';
import type { JobContext } from '../job-context.js';

export type EngineSource = TrainTask['request']['source'];

type Context = Pick<JobContext, 'db' | 'deps' | 'files' | 'folders'>;

interface SourceFinder {
  /** `field` is the source's place in the request, for errors. */
  find(orgId: string, source: DatasetSource, field: string, signal: AbortSignal): Promise<EngineSource>;
}

const MOST_DOWNLOADS = 32;

export function createSourceFinder({ db, deps, files, folders }: Context): SourceFinder {
  const downloads = new Map<string, DataFile>();

  async function findUpload(orgId: string, datasetId: string, field: string): Promise<EngineSource> {
    const dataset = await db
      .selectFrom('datasets')
      .select(['sha256', 'file_name'])
      .where('id', '=', datasetId)
      .where('org_id', '=', orgId)
      .executeTakeFirst();
    if (dataset)
      return { type: 'file', path: join(folders.datasets, dataset.sha256), fileName: dataset.file_name };
    throw new ApiError('dataset_invalid', `Data set ${datasetId} not found; upload it first.`, {
      param: `${field}.datasetId`,
    });
  }

  async function download(
    orgId: string,
    source: Extract<DatasetSource, { type: 'blob' }>,
    signal: AbortSignal,
  ): Promise<EngineSource> {
    const key = JSON.stringify([orgId, source]);
    const options = { cacheFolder: folders.downloads, allowPrivateAddresses: !deps.exposed };
    const file =
      downloads.get(key) ?? (await files.run('download', { source, options }, { caller: orgId, signal }));
    downloads.delete(key);
    downloads.set(key, file);
    if (downloads.size > MOST_DOWNLOADS) downloads.delete(downloads.keys().next().value!);
    return { type: 'file', path: file.path, fileName: file.name };
  }

  async function locate(
    orgId: string,
    source: DatasetSource,
    field: string,
    signal: AbortSignal,
  ): Promise<EngineSource> {
    switch (source.type) {
      case 'upload':
        return findUpload(orgId, source.datasetId, field);
      case 'blob':
        return download(orgId, source, signal);
      case 'huggingface': {
        const { name, split, subset } = source;
        return { type: 'huggingface', name, split, subset };
      }
    }
  }

  return {
    async find(orgId, source, field, signal) {
      const found = await explain(locate(orgId, source, field, signal));
      return source.columns ? { ...found, columns: source.columns } : found;
    },
  };
}

/** What is wrong with a data set is the caller's to know. */
export async function explain<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof DatasetError ? new ApiError('dataset_invalid', error.message) : error;
  }
}
