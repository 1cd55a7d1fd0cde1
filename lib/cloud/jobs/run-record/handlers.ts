// The routes of what a job's run has left besides its adapters: the losses of its rows, and its manifest.
import type { CloudRoutes } from '../../../contract/index.js';
import type { Handlers } from '../../../http/index.js';
import type { Access } from '../../access.js';
import type { JobContext } from '../job-context.js';
import { findJob } from '../job-rows.js';
import { findStoredData } from './find-stored-data.js';
import { readManifest } from './read-manifest.js';

export type RunRecordRoutes = Pick<CloudRoutes, 'listJobRows' | 'getJobManifest'>;

const ROWS_PER_PAGE = 50;

export function runRecordHandlers(context: JobContext & { access: Access }): Handlers<RunRecordRoutes> {
  const { db, access, files, folders } = context;
  return {
    async listJobRows({ request, query, params }) {
      const job = await findJob(db, await access.authorize(request, query), params.id);
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
      return { ...found, nextCursor: hasMore ? String(next) : null };
    },
    async getJobManifest({ request, query, params }) {
      const job = await findJob(db, await access.authorize(request, query), params.id);
      return { manifest: await readManifest(context, job) };
    },
  };
}
