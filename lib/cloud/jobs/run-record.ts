// Routes for records of a job's run other than its adapters: the losses of its rows, its answers with their rewards, and its manifest.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CloudRoutes,
  parseResponse,
  type RowLosses,
  type RunManifest,
  runManifest,
} from '../../contract/index.js';
import { RUN_MANIFEST, type TrainTask } from '../../engine/index.js';
import type { Handlers } from '../../http/index.js';
import { unlessMissing } from '../../system/index.js';
import { listArtifacts } from '../artifacts/adapter-store.js';
import type { Access } from '../auth/authorize.js';
import { locateSource } from '../runs/run-materials.js';
import { findSource, readDownload } from './data-sources.js';
import type { StoredConfig } from './defaults.js';
import type { JobContext } from './job-context.js';
import { findJob, type JobRow } from './job-rows.js';
import { readStepAnswers } from './kept-answers.js';

export type RunRecordRoutes = Pick<CloudRoutes, 'listJobRows' | 'listJobAnswers' | 'getJobManifest'>;

const ROWS_PER_PAGE = 50;

/** Of a run whose rows are prompts: it learns from answers, which are others at each step. */
const NO_ROWS: RowLosses = {
  ...{ rows: [], total: 0, recorded: 0, every: 1, nextCursor: null },
  unrecorded: 'Runs that learn from rewards have no row losses.',
};

export function runRecordHandlers(context: JobContext & { access: Access }): Handlers<RunRecordRoutes> {
  const { db, access, files, folders } = context;
  return {
    async listJobRows({ request, query, params }) {
      const job = await findJob(db, await access.authorize(request, query), params.id);
      const { method } = JSON.parse(job.config) as Partial<StoredConfig>;
      if (method?.type === 'grpo') return NO_ROWS;
      const { sort = 'last', rising, step, limit = ROWS_PER_PAGE, cursor = 0 } = query;
      const skip = Number(cursor);
      const found = await files.run(
        'readRows',
        {
          folder: folders.job(job.id),
          source: await findStoredData(context, job),
          cacheFolder: folders.downloads,
          query: {
            sort,
            rising: rising === 'true',
            step: step === undefined ? null : Number(step),
            skip,
            limit: Number(limit),
          },
        },
        { caller: job.org_id, signal: request.signal },
      );
      const next = skip + found.rows.length;
      const hasMore = found.rows.length > 0 && next < found.total;
      return { ...found, nextCursor: hasMore ? String(next) : null, unrecorded: null };
    },
    async listJobAnswers({ request, query, params }) {
      const { id } = await findJob(db, await access.authorize(request, query), params.id);
      return readStepAnswers(db, id, query.step === undefined ? undefined : Number(query.step));
    },
    async getJobManifest({ request, query, params }) {
      const job = await findJob(db, await access.authorize(request, query), params.id);
      return { manifest: await readManifest(context, job) };
    },
  };
}

/** Combines the record that the trainer wrote at its start with the job's own data. */
async function readManifest(
  { db, folders }: Pick<JobContext, 'db' | 'folders'>,
  { id, status, config: stored, base_digest }: JobRow,
): Promise<RunManifest> {
  const config = JSON.parse(stored) as Pick<StoredConfig, 'model'> & Partial<StoredConfig>;
  const artifacts = await listArtifacts(db, id);
  return parseResponse(
    runManifest,
    {
      jobId: id,
      status,
      model: { name: config.model, digest: base_digest },
      config,
      seed: config.seed ?? null,
      run: await readRun(join(folders.job(id), RUN_MANIFEST)),
      adapter: artifacts.find(({ kind }) => kind === 'final') ?? null,
    },
    'The manifest',
  );
}

async function readRun(path: string): Promise<unknown> {
  const text = await unlessMissing(readFile(path, 'utf8'), null);
  return text === null ? null : JSON.parse(text);
}

/** The path of a job's training data; null if it is missing, or the job has none. Downloads nothing. */
async function findStoredData(
  { db, folders }: Pick<JobContext, 'db' | 'folders'>,
  { id, org_id, config }: Pick<JobRow, 'id' | 'org_id' | 'config'>,
): Promise<TrainTask['request']['source'] | null> {
  const { datasetSource } = JSON.parse(config) as Partial<StoredConfig>;
  if (!datasetSource) return null;
  const found = await findSource(db, org_id, datasetSource, async () => {
    const known = await readDownload(db, id, 'training');
    return known?.file ? { file: known.file, name: known.name } : null;
  });
  return found && locateSource(folders, found);
}
