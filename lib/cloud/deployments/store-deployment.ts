// Writes deployments. The target is looked up in the transaction that stores it, so that its adapter cannot be deleted
// in between.
import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { CloudRoutes, CloudTarget, Target } from '../../contract/index.js';
import type { RouteInput } from '../../http/index.js';
import type { ProjectScope } from '../access.js';
import type { ServedModels } from '../inference/served-model.js';
import type { Db } from '../store/db.js';
import type { Tables } from '../store/tables.js';
import { claimSlug } from './claim-slug.js';
import { findDeployment } from './find-deployment.js';
import { findFollowed } from './follow.js';
import { decideOffer } from './offer.js';
import { decideKeeping, decideRetention } from './retention.js';
import { setTarget } from './targets.js';
import { type DeploymentRow, toTargetColumns } from './to-deployment.js';

export interface DeploymentStore {
  db: Db;
  models: ServedModels;
}

type Creation = RouteInput<CloudRoutes['createDeployment']>['body'];
export type Change = RouteInput<CloudRoutes['updateDeployment']>['body'];

const param = 'target.baseModel';

/** Call it inside the transaction that also records the answer. */
export async function insertDeployment(
  transaction: Transaction<Tables>,
  models: ServedModels,
  { orgId, projectId }: ProjectScope,
  { slug, target, authMode, operations, corsOrigins, keepRequests, ...given }: Creation,
  at: string,
): Promise<DeploymentRow> {
  const retention = decideRetention(given, null);
  await claimSlug(transaction, slug, orgId);
  const served = await decideTarget(transaction, projectId, target);
  await models.resolve(orgId, served.target, { param, db: transaction });
  return transaction
    .insertInto('deployments')
    .values({
      id: randomUUID(),
      number: sql<number>`(SELECT coalesce(max(number), 0) + 1 FROM deployments)`,
      org_id: orgId,
      project_id: projectId,
      slug,
      ...toTargetColumns(served.target),
      follows: served.follows,
      earlier_targets: '[]',
      auth_mode: authMode ?? 'fixed_api_key',
      enabled: 1,
      retention_mode: retention.mode,
      retention_days: retention.days,
      keep_requests: decideKeeping(keepRequests, null, retention),
      ...decideOffer({ operations, corsOrigins }, null),
      created_at: at,
      updated_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Changes only the given fields. */
export function changeDeployment(
  { db, models }: DeploymentStore,
  scope: ProjectScope,
  id: string,
  { target, authMode, enabled, operations, corsOrigins, keepRequests, ...given }: Change,
  at: string,
): Promise<DeploymentRow> {
  return db.transaction().execute(async transaction => {
    const current = await findDeployment(transaction, scope, id);
    const all = [target, authMode, enabled, operations, corsOrigins, keepRequests, ...Object.values(given)];
    if (all.every(value => value === undefined)) return current;
    const retention = decideRetention(given, { mode: current.retention_mode, days: current.retention_days });
    if (target) {
      const served = await decideTarget(transaction, scope.projectId, target);
      await models.resolve(scope.orgId, served.target, { param, db: transaction });
      await setTarget(transaction, current, served, at);
    }
    return transaction
      .updateTable('deployments')
      .set({
        ...(authMode && { auth_mode: authMode }),
        ...(enabled !== undefined && { enabled: enabled ? 1 : 0 }),
        ...decideOffer({ operations, corsOrigins }, current),
        retention_mode: retention.mode,
        retention_days: retention.days,
        keep_requests: decideKeeping(keepRequests, current, retention),
        updated_at: at,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** What to serve now, and what to follow. */
async function decideTarget(
  transaction: Transaction<Tables>,
  projectId: string,
  target: CloudTarget,
): Promise<{ target: Target; follows: string | null }> {
  if (target.kind !== 'follow') return { target, follows: null };
  const { follow } = target;
  return { target: await findFollowed(transaction, projectId, follow), follows: JSON.stringify(follow) };
}
