// Where the data set that a job trained on is stored, to show its rows. Downloads nothing.
import { join } from 'node:path';
import type { DatasetSource } from '../../../contract/index.js';
import type { TrainTask } from '../../../engine/index.js';
import type { StoredConfig } from '../defaults.js';
import type { JobContext } from '../job-context.js';
import type { JobRow } from '../job-rows.js';

type Source = TrainTask['request']['source'];

/** Null if it is not there, as when its files were collected or the job has none. */
export async function findStoredData(
  { db, folders }: Pick<JobContext, 'db' | 'folders'>,
  { id, org_id, config }: Pick<JobRow, 'id' | 'org_id' | 'config'>,
): Promise<Source | null> {
  const { datasetSource } = JSON.parse(config) as Partial<StoredConfig>;
  const found = await find({ db, folders }, { id, org_id }, datasetSource);
  return found && { ...found, columns: datasetSource?.columns };
}

async function find(
  { db, folders }: Pick<JobContext, 'db' | 'folders'>,
  { id, org_id }: Pick<JobRow, 'id' | 'org_id'>,
  source: DatasetSource | undefined,
): Promise<Source | null> {
  switch (source?.type) {
    case 'upload': {
      const dataset = await db
        .selectFrom('datasets')
        .select(['sha256', 'file_name'])
        .where('id', '=', source.datasetId)
        .where('org_id', '=', org_id)
        .executeTakeFirst();
      return dataset
        ? { type: 'file', path: join(folders.datasets, dataset.sha256), fileName: dataset.file_name }
        : null;
    }
    case 'blob': {
      const download = await db
        .selectFrom('job_downloads')
        .select(['file', 'name'])
        .where('job_id', '=', id)
        .where('role', '=', 'training')
        .executeTakeFirst();
      return download?.file
        ? { type: 'file', path: join(folders.downloads, download.file), fileName: download.name ?? undefined }
        : null;
    }
    case 'huggingface': {
      const { name, split, subset } = source;
      return { type: 'huggingface', name, split, subset };
    }
    default:
      return null;
  }
}
