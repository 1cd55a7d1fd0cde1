// How many jobs of a data folder have adapters of a base model, whether or not a cloud is running on it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { queryOnce } from '../store/db.js';

/** `digests`: of the base model, as `openBaseModel` has them. */
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
