// Inserts endpoints that use adapters, straight into the database.
import { randomUUID } from 'node:crypto';
import type { Db } from '../../../lib/cloud/store/db.js';

/** Uses the final adapter unless given a step. */
export async function addDeployment(
  db: Pick<Db, 'insertInto' | 'selectFrom'>,
  { slug, jobId, step }: { slug: string; jobId: string; step: number | null },
): Promise<void> {
  const now = new Date().toISOString();
  await db.insertInto('slugs').values({ slug, org_id: 'org-a' }).execute();
  const { count } = await db
    .selectFrom('deployments')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  await db
    .insertInto('deployments')
    .values({
      id: randomUUID(),
      number: count + 1,
      org_id: 'org-a',
      project_id: 'org-a/one',
      slug,
      target_kind: step === null ? 'final' : 'checkpoint',
      target_job_id: jobId,
      target_step: step,
      target_model: null,
      auth_mode: 'none',
      enabled: 1,
      retention_mode: 'days',
      retention_days: 7,
      created_at: now,
      updated_at: now,
      operations: '["chat"]',
      cors_origins: '[]',
      earlier_targets: '[]',
      keep_requests: 0,
    })
    .execute();
}
