// The rows of deployments: queries, stored values, and conversion to responses.
import type { Kysely } from 'kysely';
import { ApiError, type Canary, type Deployment, type Operation } from '../../contract/index.js';
import type { ProjectScope } from '../auth/authorize.js';
import type { CloudAddress } from '../deps.js';
import { readFields, toColumns } from '../store/fields.js';
import type { Tables } from '../store/tables.js';

export type DeploymentRow = Tables['deployments'];

const FIELDS = {
  id: { column: 'id' },
  slug: { column: 'slug' },
  orgId: { column: 'org_id' },
  projectId: { column: 'project_id' },
  target: { column: 'target', as: 'json' },
  targetSince: { column: 'target_since' },
  follows: { column: 'follows', as: 'json' },
  earlierTargets: { column: 'earlier_targets', as: 'json' },
  canary: { column: 'canary', as: 'json' },
  authMode: { column: 'auth_mode' },
  enabled: { column: 'enabled', as: 'flag' },
  operations: { column: 'operations', as: 'json' },
  corsOrigins: { column: 'cors_origins', as: 'json' },
  runRetentionMode: { column: 'retention_mode' },
  runRetentionDays: { column: 'retention_days' },
  keepRequests: { column: 'keep_requests', as: 'flag' },
  requireGate: { column: 'require_gate', as: 'flag' },
  createdAt: { column: 'created_at' },
  updatedAt: { column: 'updated_at' },
} as const;

/** A deployment as stored. */
export type StoredDeployment = {
  [Name in Exclude<keyof typeof FIELDS, 'operations' | 'targetSince' | 'canary'>]: Exclude<
    Deployment[Name],
    undefined
  >;
} & {
  canary: Omit<Canary, 'problem'> | null;
  /** In the contract's order, without duplicates. */
  operations: Operation[];
  /** Null if it has always had its target. */
  targetSince: string | null;
};

export const readDeployment = (row: DeploymentRow) => readFields<StoredDeployment>(FIELDS, row);

export const toDeploymentColumns = (fields: StoredDeployment) =>
  toColumns(FIELDS, fields) as Omit<DeploymentRow, 'number'>;

/** What is known of a deployment right now. */
interface Observed extends Pick<Deployment, 'problem' | 'task' | 'lastHour'> {
  canaryProblem?: string | null;
}

export function toDeployment(
  row: DeploymentRow,
  address: CloudAddress,
  { problem = null, task = null, canaryProblem = null, lastHour }: Observed = {},
): Deployment {
  const { targetSince: _, canary, ...fields } = readDeployment(row);
  return {
    ...fields,
    canary: canary && { ...canary, problem: canaryProblem },
    urlFormat: 'openai_compat',
    customDomain: null,
    ...toUrls(fields.slug, address),
    problem,
    task,
    ...(lastHour && { lastHour }),
  };
}

/** Whether the domain exists only on this machine, where many resolvers do not resolve `<slug>.localhost`. */
export function isLocalDomain(domain: string): boolean {
  return /^([\w-]+\.)*localhost(:\d+)?$/i.test(domain);
}

/** TLS, except on this machine, where it is the cloud's own protocol. */
export function toUrls(slug: string, { url, deploymentDomain }: CloudAddress) {
  if (!isLocalDomain(deploymentDomain)) return { url: `https://${slug}.${deploymentDomain}`, pathUrl: null };
  const { protocol, origin } = new URL(url);
  return { url: `${protocol}//${slug}.${deploymentDomain}`, pathUrl: `${origin}/d/${slug}` };
}

/** Finds it in the caller's project. Throws `deployment_not_found`, also for other projects' deployments. */
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
