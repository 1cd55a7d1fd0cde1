// Puts thousands of jobs into a queue, as copies of one.
import type { Jobs } from '../../../lib/cloud/jobs/index.js';
import type { Db } from '../../../lib/cloud/store/db.js';
import type { RunResources } from '../../../lib/contract/index.js';

const AT_ONCE = 500;

/** The jobs have these resources, in this order, and train without artifacts. Returns their IDs. */
export async function fillQueue(
  { db, jobs }: { db: Db; jobs: Jobs },
  model: string,
  wanted: readonly RunResources[],
): Promise<string[]> {
  const scope = { orgId: 'org-a', projectId: 'org-a/one' };
  const config = { model, datasetSource: { type: 'huggingface', name: 'some/rows' }, dryRun: true } as const;
  const asked = { key: null, caller: 'test', request: {} };
  const { id } = await jobs.createJob(scope, { name: 'a job', config }, asked);
  const query = db.selectFrom('jobs').selectAll().where('id', '=', id);
  const { number, ...row } = await query.executeTakeFirstOrThrow();
  await db.deleteFrom('jobs').where('id', '=', id).execute();
  const completed = JSON.parse(row.config) as object;
  const rows = wanted.map((resources, i) => ({
    ...row,
    id: `job-${i}`,
    number: number + i,
    config: JSON.stringify({ ...completed, resources }),
  }));
  for (let i = 0; i < rows.length; i += AT_ONCE) {
    const some = rows.slice(i, i + AT_ONCE);
    await db.insertInto('jobs').values(some).execute();
  }
  return rows.map(job => job.id);
}
