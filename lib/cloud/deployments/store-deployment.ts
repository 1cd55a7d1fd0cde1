// Writes deployments. The target is looked up in the transaction that stores it, so that its adapter cannot be deleted
// in between.
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { sql, type Transaction } from 'kysely';
import {
  ApiError,
  type CloudRoutes,
  type CloudTarget,
  DEFAULT_OPERATION,
  OPERATION_NAMES,
  type Operation,
} from '../../contract/index.js';
import type { RouteInput } from '../../http/index.js';
import type { ModelResolver } from '../answers/models.js';
import type { ProjectScope } from '../auth/authorize.js';
import type { Db } from '../store/db.js';
import type { Given } from '../store/fields.js';
import type { Tables } from '../store/tables.js';
import {
  type DeploymentRow,
  findDeployment,
  readDeployment,
  type StoredDeployment,
  toDeploymentColumns,
} from './deployment-rows.js';
import { admit, findFollowed, retarget, type Served, storeDeployment } from './targets.js';

export interface DeploymentStore {
  db: Db;
  models: ModelResolver;
}

type Creation = RouteInput<CloudRoutes['createDeployment']>['body'];
type Change = RouteInput<CloudRoutes['updateDeployment']>['body'];

/** What would be inserted: inserts it and rolls back. */
export async function tryDeployment(
  { db, models }: DeploymentStore,
  scope: ProjectScope,
  given: Creation,
  at: string,
): Promise<DeploymentRow> {
  const tried = new Error('taken back');
  let row: DeploymentRow | undefined;
  await db
    .transaction()
    .execute(async transaction => {
      row = await insertDeployment(transaction, models, scope, given, at);
      throw tried;
    })
    .catch(error => {
      if (error !== tried) throw error;
    });
  return row!;
}

/** Call it inside the transaction that also records the answer. */
export async function insertDeployment(
  transaction: Transaction<Tables>,
  models: ModelResolver,
  scope: ProjectScope,
  given: Creation,
  at: string,
): Promise<DeploymentRow> {
  const { orgId, projectId } = scope;
  const settings = decideSettings(given, null);
  await claimSlug(transaction, given.slug, orgId);
  const served = await decideTarget(transaction, models, scope, given.target);
  const columns = toDeploymentColumns({
    id: randomUUID(),
    slug: given.slug,
    orgId,
    projectId,
    ...settings,
    ...served,
    targetSince: null,
    earlierTargets: [],
    canary: null,
    createdAt: at,
    updatedAt: at,
  });
  return transaction
    .insertInto('deployments')
    .values({ ...columns, number: sql<number>`(SELECT coalesce(max(number), 0) + 1 FROM deployments)` })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Changes only the given fields. */
export function changeDeployment(
  { db, models }: DeploymentStore,
  scope: ProjectScope,
  id: string,
  change: Change,
  at: string,
): Promise<DeploymentRow> {
  return db.transaction().execute(async transaction => {
    const row = await findDeployment(transaction, scope, id);
    if (Object.values(change).every(value => value === undefined)) return row;
    const current = readDeployment(row);
    requireTarget(current, change.replaces);
    const settings = decideSettings(change, current);
    const chosen = await decideChange(transaction, models, scope, current, change);
    const served = chosen && (await admit(transaction, { ...current, ...settings }, chosen));
    const retargeted = { ...current, ...settings, ...(served && retarget(current, served, at)) };
    const canary =
      change.canary === undefined
        ? retargeted.canary
        : await decideCanary(transaction, models, scope, retargeted, change.canary, at);
    return storeDeployment(transaction, { ...retargeted, canary, updatedAt: at });
  });
}

function requireTarget({ slug, target }: StoredDeployment, replaces: Change['replaces']): void {
  if (replaces === undefined || isDeepStrictEqual(target, replaces)) return;
  throw new ApiError('target_changed', `\`${slug}\` serves something else now. Compare with that.`, {
    param: 'replaces',
    headers: { 'x-should-retry': 'false' },
  });
}

/** The target after a change; undefined if the change leaves it alone. */
async function decideChange(
  transaction: Transaction<Tables>,
  models: ModelResolver,
  scope: ProjectScope,
  { canary }: StoredDeployment,
  { target, promote, ...change }: Change,
): Promise<Served | undefined> {
  if (!promote) return target && decideTarget(transaction, models, scope, target);
  if (target !== undefined || change.canary !== undefined)
    throw new ApiError('invalid_value', '`promote` cannot be combined with `target` or `canary`.', {
      param: 'promote',
    });
  if (!isDeepStrictEqual(canary?.target, promote))
    throw new ApiError(
      'canary_changed',
      canary
        ? 'The endpoint has another canary now. Check it, then promote it.'
        : 'The endpoint has no canary anymore.',
      { param: 'promote', headers: { 'x-should-retry': 'false' } },
    );
  return decideTarget(transaction, models, scope, promote);
}

/** A canary keeps its time when only its share changes. */
async function decideCanary(
  transaction: Transaction<Tables>,
  models: ModelResolver,
  { orgId }: ProjectScope,
  { target, canary }: Pick<StoredDeployment, 'target' | 'canary'>,
  given: Exclude<Change['canary'], undefined>,
  at: string,
): Promise<StoredDeployment['canary']> {
  if (given === null) return null;
  if (isDeepStrictEqual(given.target, target))
    throw new ApiError('invalid_value', 'The endpoint serves this target already.', {
      param: 'canary.target',
    });
  await models.resolve(orgId, given.target, { param: 'canary.target.baseModel', db: transaction });
  const isSame = isDeepStrictEqual(canary?.target, given.target);
  return { ...given, since: isSame ? canary!.since : at };
}

/** The target to serve now, and the source to follow. */
async function decideTarget(
  transaction: Transaction<Tables>,
  models: ModelResolver,
  { orgId, projectId }: ProjectScope,
  target: CloudTarget,
): Promise<Served> {
  const served =
    target.kind === 'follow'
      ? { target: await findFollowed(transaction, projectId, target.follow), follows: target.follow }
      : { target, follows: null };
  await models.resolve(orgId, served.target, { param: 'target.baseModel', db: transaction });
  return served;
}

type Retention = Pick<StoredDeployment, 'runRetentionMode' | 'runRetentionDays'>;
type Settings = Retention &
  Pick<
    StoredDeployment,
    'authMode' | 'enabled' | 'operations' | 'corsOrigins' | 'keepRequests' | 'requireGate'
  >;

/** Requests are kept only if someone turns it on. */
const DEFAULTS: Settings = {
  authMode: 'fixed_api_key',
  enabled: true,
  operations: [],
  corsOrigins: [],
  keepRequests: false,
  requireGate: false,
  runRetentionMode: 'days',
  runRetentionDays: 7,
};

/** The settings after a request; `current` is null for a new deployment. Throws if they do not fit together. */
function decideSettings(given: Change, current: Settings | null): Settings {
  const before = current ?? DEFAULTS;
  const retention = decideRetention(given, current);
  const keepRequests = given.keepRequests ?? before.keepRequests;
  if (keepRequests && retention.runRetentionMode === 'disabled')
    throw new ApiError(
      'invalid_value',
      '`keepRequests` must be false when `runRetentionMode` is `disabled`.',
      { param: 'keepRequests' },
    );
  // The default may be left out.
  const named = new Set<Operation>([DEFAULT_OPERATION, ...(given.operations ?? before.operations)]);
  return {
    authMode: given.authMode ?? before.authMode,
    enabled: given.enabled ?? before.enabled,
    operations: OPERATION_NAMES.filter(name => named.has(name)),
    corsOrigins: [...new Set(given.corsOrigins ?? before.corsOrigins)],
    keepRequests,
    requireGate: given.requireGate ?? before.requireGate,
    ...retention,
  };
}

/** How long requests are kept, if at all. Throws if mode and days do not fit together. @internal */
export function decideRetention(given: Given<Retention>, current: Retention | null): Retention {
  const { runRetentionMode, runRetentionDays: days } = given;
  const before = current ?? DEFAULTS;
  if (runRetentionMode === undefined && days === undefined)
    return { runRetentionMode: before.runRetentionMode, runRetentionDays: before.runRetentionDays };
  const mode = runRetentionMode ?? before.runRetentionMode;
  const kept = current?.runRetentionMode === mode ? current.runRetentionDays : null;
  const retention = { runRetentionMode: mode, runRetentionDays: days === undefined ? kept : days };
  if (mode === 'days' && retention.runRetentionDays === null)
    throw unfit('must be a number of days when `runRetentionMode` is `days`');
  if (mode !== 'days' && retention.runRetentionDays !== null)
    throw unfit(`must be omitted when \`runRetentionMode\` is \`${mode}\``);
  return retention;
}

function unfit(problem: string): ApiError {
  return new ApiError('invalid_value', `\`runRetentionDays\` ${problem}.`, { param: 'runRetentionDays' });
}

/**
 * Reserves the slug for the organization, which keeps it even after the endpoint is gone. Throws `slug_reserved`, or
 * `slug_taken` if another organization owns it or an endpoint uses it.
 */
async function claimSlug(transaction: Transaction<Tables>, slug: string, orgId: string): Promise<void> {
  if (RESERVED_SLUGS.has(slug) || slug.startsWith(PUNYCODE))
    throw new ApiError('slug_reserved', `\`${slug}\` is reserved. Choose another slug.`, { param: 'slug' });
  await transaction
    .insertInto('slugs')
    .values({ slug, org_id: orgId })
    .onConflict(conflict => conflict.doNothing())
    .execute();
  const owned = await transaction
    .selectFrom('slugs')
    .leftJoin('deployments', 'deployments.slug', 'slugs.slug')
    .select(['slugs.org_id', 'deployments.id'])
    .where('slugs.slug', '=', slug)
    .executeTakeFirstOrThrow();
  if (owned.org_id !== orgId || owned.id !== null) throw slugTaken(slug);
}

/** Begins host names with other letters than a to z. Most that follow would be no valid host name. */
const PUNYCODE = 'xn--';

/** OpenAI-style clients would retry a 409. */
function slugTaken(slug: string): ApiError {
  return new ApiError('slug_taken', `The slug \`${slug}\` is taken. Choose another one.`, {
    param: 'slug',
    headers: { 'x-should-retry': 'false' },
  });
}

/** Labels that endpoints cannot use because people would mistake them for the service itself. @internal */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set(
  (
    'www api admin app assets auth billing blog cdn cloud console dashboard dev dns docs edge email ftp gateway git ' +
    'health help imap internal localhost login logout mail metrics mx ns ns1 ns2 ns3 ns4 oauth pop pop3 proxy root ' +
    'security signin signup smtp ssh ssl static status studio support svc test tls v1 v2 vpn webmail ws'
  ).split(' '),
);
