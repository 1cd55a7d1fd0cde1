// Inserts endpoints that use adapters, straight into the database.
import { randomUUID } from 'node:crypto';
import type { Db } from '../../../lib/cloud/store/db.js';
import { toAdapterRef } from '../../../lib/contract/index.js';

/** Uses the final adapter unless given a step. */
export async function addDeployment(
  db: Pick<Db, 'insertInto' | 'selectFrom'>,
  { slug, jobId, step }: { slug: string; jobId: string; step: number | null },
): Promise<void> {
  const now = new Date().toISOString();
  await db.insertInto('slugs').values({ slug, org_id: 'org-a' }).execute();
  const counted = db.selectFrom('deployments').select(({ fn }) => fn.countAll<number>().as('count'));
  const { count } = await counted.executeTakeFirstOrThrow();
  const place = { org_id: 'org-a', project_id: 'org-a/one', slug, created_at: now, updated_at: now };
  const target = JSON.stringify({ kind: 'adapter', adapter: toAdapterRef(jobId, step) });
  const offer = { operations: '["chat"]', cors_origins: '[]', auth_mode: 'none', enabled: 1 } as const;
  const kept = { retention_mode: 'days', retention_days: 7, keep_requests: 0, require_gate: 0 } as const;
  const row = {
    id: randomUUID(),
    number: count + 1,
    earlier_targets: '[]',
    ...place,
    target,
    ...offer,
    ...kept,
  };
  await db.insertInto('deployments').values(row).execute();
}
