// The rows of deployments: how they are found, what they serve and offer, and how the wire format shows it.
import type { Kysely } from 'kysely';
import {
  ApiError,
  DEFAULT_OPERATION,
  type Deployment,
  type Follow,
  OPERATION_NAMES,
  type Operation,
  type Target,
} from '../../contract/index.js';
import type { ProjectScope } from '../access.js';
import type { CloudAddress } from '../deps.js';
import type { Tables } from '../store/tables.js';

export type DeploymentRow = Tables['deployments'];

export function toDeployment(
  row: DeploymentRow,
  address: CloudAddress,
  problem: string | null = null,
): Deployment {
  return {
    id: row.id,
    slug: row.slug,
    orgId: row.org_id,
    projectId: row.project_id,
    target: toTarget(row),
    follows: row.follows === null ? null : (JSON.parse(row.follows) as Follow),
    earlierTargets: readEarlierTargets(row),
    authMode: row.auth_mode,
    enabled: row.enabled === 1,
    ...readOffer(row),
    urlFormat: 'openai_compat',
    customDomain: null,
    runRetentionMode: row.retention_mode,
    runRetentionDays: row.retention_days,
    keepRequests: row.keep_requests === 1,
    ...toUrls(row.slug, address),
    problem,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export type TargetColumns = Pick<
  DeploymentRow,
  'target_kind' | 'target_job_id' | 'target_step' | 'target_model'
>;

export function toTarget(row: TargetColumns): Target {
  const jobId = row.target_job_id!;
  switch (row.target_kind) {
    case 'base_model':
      return { kind: 'base_model', baseModel: row.target_model! };
    case 'final':
      return { kind: 'adapter', adapter: { kind: 'final', jobId } };
    case 'checkpoint':
      return { kind: 'adapter', adapter: { kind: 'checkpoint', jobId, step: row.target_step! } };
  }
}

export function toTargetColumns(target: Target): TargetColumns {
  const none = { target_job_id: null, target_step: null, target_model: null };
  if (target.kind === 'base_model')
    return { ...none, target_kind: 'base_model', target_model: target.baseModel };
  const { adapter } = target;
  const step = adapter.kind === 'checkpoint' ? adapter.step : null;
  return { ...none, target_kind: adapter.kind, target_job_id: adapter.jobId, target_step: step };
}

type EarlierTargets = NonNullable<Deployment['earlierTargets']>;

export function readEarlierTargets({
  earlier_targets,
}: Pick<DeploymentRow, 'earlier_targets'>): EarlierTargets {
  return JSON.parse(earlier_targets) as EarlierTargets;
}

/** Whether the domain is known only on this machine, where many resolvers do not resolve `<slug>.localhost`. */
export function isLocalDomain(domain: string): boolean {
  return /^([\w-]+\.)*localhost(:\d+)?$/i.test(domain);
}

/** TLS everywhere except on this machine, where it is what the cloud itself speaks. */
function toUrls(slug: string, { url, deploymentDomain }: CloudAddress) {
  if (!isLocalDomain(deploymentDomain)) return { url: `https://${slug}.${deploymentDomain}`, pathUrl: null };
  const { protocol } = new URL(url);
  const port = /:\d+$/.exec(deploymentDomain)?.[0] ?? '';
  return {
    url: `${protocol}//${slug}.${deploymentDomain}`,
    pathUrl: `${protocol}//localhost${port}/d/${slug}`,
  };
}

/** What a deployment offers, and which web pages may call it. */
interface Offer {
  /** In the order of the contract, without repetitions. */
  operations: Operation[];
  corsOrigins: string[];
}

type OfferInput = { [name in keyof Offer]?: Offer[name] | undefined };

type OfferColumns = Pick<DeploymentRow, 'operations' | 'cors_origins'>;

/** The columns after a request; `current` is null for a new deployment. The default needs no naming. */
export function decideOffer(given: OfferInput, current: OfferColumns | null): OfferColumns {
  const { operations, corsOrigins } = {
    ...(current ? readOffer(current) : { operations: [], corsOrigins: [] }),
    ...(given.operations && { operations: given.operations }),
    ...(given.corsOrigins && { corsOrigins: given.corsOrigins }),
  };
  const named = new Set<Operation>([DEFAULT_OPERATION, ...operations]);
  return {
    operations: JSON.stringify(OPERATION_NAMES.filter(name => named.has(name))),
    cors_origins: JSON.stringify([...new Set(corsOrigins)]),
  };
}

export function readOffer({ operations, cors_origins }: OfferColumns): Offer {
  return { operations: JSON.parse(operations), corsOrigins: JSON.parse(cors_origins) };
}

/** In the caller's project; deployments of others count as missing. Throws `deployment_not_found`. */
export async function findDeployment(
  db: Kysely<Tables>,
  { projectId }: ProjectScope,
  id: string,
): Promise<DeploymentRow> {
  const row = await db
    .selectFrom('deployments')
    .selectAll()
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  return row ?? refuse(id);
}

function refuse(id: string): never {
  throw new ApiError('deployment_not_found', `There is no endpoint ${id} in this project.`);
}
