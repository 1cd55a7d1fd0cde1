// Converts deployments from rows to the wire format, and targets to rows.
import type { Deployment, Follow, Target } from '../../contract/index.js';
import type { CloudAddress } from '../deps.js';
import type { Tables } from '../store/tables.js';
import { readOffer } from './offer.js';

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
