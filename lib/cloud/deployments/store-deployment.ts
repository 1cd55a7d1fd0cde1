// Writes deployments. The target is looked up in the transaction that stores it, so that its adapter cannot be deleted
// in between.
import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import {
  ApiError,
  type CloudRoutes,
  type CloudTarget,
  type Deployment,
  type Target,
} from '../../contract/index.js';
import type { RouteInput } from '../../http/index.js';
import type { ProjectScope } from '../access.js';
import type { ServedModels } from '../answers/models.js';
import type { Db } from '../store/db.js';
import type { Tables } from '../store/tables.js';
import { type DeploymentRow, decideOffer, findDeployment, toTargetColumns } from './deployment-rows.js';
import { claimSlug } from './slugs.js';
import { findFollowed, setTarget } from './targets.js';

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

/** How long requests are kept, if they are. Mode and days must fit together. */
interface Retention {
  mode: Deployment['runRetentionMode'];
  days: number | null;
}

interface RetentionInput {
  runRetentionMode?: Retention['mode'] | undefined;
  runRetentionDays?: number | null | undefined;
}

const DEFAULT: Retention = { mode: 'days', days: 7 };

/** Whether requests are kept after a request; not unless somebody asked for it. Throws if the retention is `disabled`. */
function decideKeeping(
  given: boolean | undefined,
  current: { keep_requests: 0 | 1 } | null,
  { mode }: Retention,
): 0 | 1 {
  const keeps = given ?? current?.keep_requests === 1;
  if (keeps && mode === 'disabled')
    throw new ApiError(
      'invalid_value',
      '`keepRequests` must be false when `runRetentionMode` is `disabled`.',
      {
        param: 'keepRequests',
      },
    );
  return keeps ? 1 : 0;
}

/** The settings after a request; `current` is null for a new deployment. Throws if mode and days do not fit. @internal */
export function decideRetention(given: RetentionInput, current: Retention | null): Retention {
  const { runRetentionMode, runRetentionDays } = given;
  if (runRetentionMode === undefined && runRetentionDays === undefined) return current ?? DEFAULT;
  const mode = runRetentionMode ?? (current ?? DEFAULT).mode;
  const kept = current?.mode === mode ? current.days : null;
  const days = runRetentionDays === undefined ? kept : runRetentionDays;
  if (mode === 'days' && days === null)
    throw unfit('must be a number of days when `runRetentionMode` is `days`');
  if (mode !== 'days' && days !== null)
    throw unfit(`must be omitted when \`runRetentionMode\` is \`${mode}\``);
  return { mode, days };
}

function unfit(problem: string): ApiError {
  return new ApiError('invalid_value', `\`runRetentionDays\` ${problem}.`, { param: 'runRetentionDays' });
}
