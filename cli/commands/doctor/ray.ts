// Checks a Ray cluster: whether it is usable, what its machines have, and whether they can reach the local
// cloud.
import { resolve } from 'node:path';
import { checkRay, checkRayWorkers, type RunCloudOptions } from '../../../lib/cloud/index.js';
import { cloudFolder, type LocalCloud } from '../../../lib/sdk/local-cloud/index.js';
import { type Context, UsageError } from '../../command.js';
import { readOptions } from '../cloud/lasting-options.js';
import { askHealth } from '../cloud/local-cloud.js';
import { readSettings } from '../cloud/settings.js';
import { type Check, outcomesOf } from './check.js';

type RayPlan = NonNullable<RunCloudOptions['ray']> & {
  /** Whether the local cloud runs its jobs on this cluster. */
  isInUse: boolean;
};

const RAY_OPTIONS = ['ray-token-file', 'advertise-url'] as const;

/** The typed address, or the one the local cloud remembers; null if there is no cluster to check. */
export async function planRay(
  { values, positionals: [url], io }: Context,
  home: string,
): Promise<RayPlan | null> {
  const stray = url === undefined ? RAY_OPTIONS.find(name => values[name] !== undefined) : 'URL';
  if (!values.ray) {
    if (stray === undefined) return null;
    throw new UsageError(`${stray === 'URL' ? 'A URL' : `--${stray}`} can only be used with --ray.`);
  }
  const folder = cloudFolder(home);
  const options = await readOptions(folder);
  const wanted = url ?? options.ray;
  if (wanted === undefined)
    throw new UsageError(
      'The local cloud uses no Ray cluster. Pass the URL of one, such as http://head:8265.',
    );
  const isInUse = wanted === options.ray;
  const typed = {
    ...(isInUse ? options : {}),
    ray: wanted,
    ...(typeof values['ray-token-file'] === 'string' && {
      'ray-token-file': resolve(io.cwd, values['ray-token-file']),
    }),
    ...(typeof values['advertise-url'] === 'string' && { 'advertise-url': values['advertise-url'] }),
  };
  return { ...readSettings(typed, folder, io).ray!, isInUse };
}

export async function checkRayCluster(plan: RayPlan, cloud: LocalCloud | null): Promise<Check[]> {
  const { findings, obstacle } = await checkRay(plan);
  if (obstacle !== null || findings.some(({ status }) => status === 'problem')) return findings;
  const workers = await checkRayWorkers(
    plan,
    cloud && { url: plan.advertiseUrl ?? toPublicUrl(cloud), secret: cloud.secret },
  );
  const notAsked = outcomesOf('ray-cloud').warning(
    'the local cloud is not running, so no machine of the cluster could try to reach it',
    'Run "svc cloud start", then "svc doctor --ray" again.',
  );
  return [...findings, ...workers, ...(cloud ? await checkWaiting(plan, cloud) : [notAsked])];
}

/**
 * Reports jobs that wait because no node has room for them. Jobs that the cluster has accepted are starting,
 * not waiting.
 */
async function checkWaiting({ isInUse }: RayPlan, cloud: LocalCloud): Promise<Check[]> {
  const { waits, runs } = (isInUse && (await askHealth(cloud))?.cluster) || { waits: [], runs: [] };
  const submitted = new Set(runs.map(({ jobId }) => jobId));
  const waiting = waits.filter(({ jobId }) => !submitted.has(jobId));
  const { warning } = outcomesOf('ray-jobs');
  return waiting.map(({ jobId, reason }) =>
    warning(
      `job ${jobId}: ${reason}`,
      'If no node will have it, cancel the job and lower the resources of its trainer.',
    ),
  );
}

/** The domain of a cloud that has one, or else its URL. */
function toPublicUrl({ url, deploymentDomain }: LocalCloud): string {
  const isLocal = /^localhost(?::|$)/.test(deploymentDomain);
  return isLocal ? url : `https://${deploymentDomain}`;
}
