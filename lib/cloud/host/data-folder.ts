// A cloud's data folder without its cloud: what can be deleted there, and what was trained.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Collected } from '../../contract/index.js';
import { logFileIn } from '../../system/index.js';
import { createAccess } from '../auth/authorize.js';
import { ownFolder } from '../disk/own-folder.js';
import { createJobs } from '../jobs/index.js';
import { openDb, queryOnce } from '../store/db.js';
import { createLocalRunner } from './local-parts.js';
import { openLog } from './log.js';

/** Deletes what nothing refers to anymore. Throws `folder_owned` if a cloud is running on the folder. */
export async function collectGarbageIn(folder: string): Promise<Collected> {
  if (!existsSync(join(folder, 'cloud.db'))) return { files: 0, bytes: 0 };
  const lock = ownFolder(folder);
  try {
    const db = await openDb(join(folder, 'cloud.db'));
    const deps = {
      folder,
      baseModel: { name: '', folder: '' },
      concurrency: 1,
      exposed: false,
      log: openLog(logFileIn(folder), []),
      runner: createLocalRunner(),
    };
    try {
      return await createJobs(deps, db, createAccess({ db, local: true })).collectGarbage();
    } finally {
      await db.destroy();
    }
  } finally {
    lock.release();
  }
}

/** Whether programs may have the base URL of the folder's cloud, also while it is running: of an endpoint, or of a project. */
export async function hasBaseUrls(folder: string): Promise<boolean> {
  const [row] = await queryOnce<{ count: number }>(
    join(folder, 'cloud.db'),
    `select (select count(*) from deployments) + (select count(*) from keys where project_id is not null) as count`,
    [],
  );
  return row!.count > 0;
}

/**
 * How many jobs have adapters of a base model, whether or not a cloud is running on the folder. `digests`: of the base model, as
 * `openBaseModel` has them.
 */
export async function countJobsTrainedOn(folder: string, digests: readonly string[]): Promise<number> {
  const file = join(folder, 'cloud.db');
  if (digests.length === 0 || !existsSync(file)) return 0;
  const places = digests.map(() => '?').join(', ');
  const [row] = await queryOnce<{ jobs: number }>(
    file,
    `select count(distinct jobs.id) as jobs from jobs join artifacts on artifacts.job_id = jobs.id
     where base_digest in (${places})`,
    digests,
  );
  return row!.jobs;
}
