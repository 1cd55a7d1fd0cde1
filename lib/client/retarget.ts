// Deployment changes, where the new target may be in short notation.
import {
  type AdapterNotation,
  ApiError,
  type CloudDeploymentPatch,
  type CloudTarget,
  type Deployment,
  readAdapterNotation,
  toAdapterRef,
} from '../contract/index.js';

/**
 * `final` and `checkpoint:<step>` refer to the job the deployment serves now; `JOB_ID:final` names another
 * job.
 */
export type DeploymentChange = Omit<CloudDeploymentPatch, 'target'> & {
  target?: CloudTarget | AdapterNotation | undefined;
};

/** The patch to send. `getCurrent` is called only for notation without a job ID. */
export async function toCloudPatch(
  { target, ...patch }: DeploymentChange,
  getCurrent: () => Promise<Deployment>,
): Promise<CloudDeploymentPatch> {
  if (typeof target !== 'string') return { ...patch, ...(target && { target }) };
  const read = readAdapterNotation(target);
  if (!read)
    throw invalidTarget('must be `final`, `checkpoint:<step>`, `JOB_ID:final` or `JOB_ID:checkpoint:<step>`');
  const jobId = read.jobId ?? jobOf(await getCurrent());
  return { ...patch, target: { kind: 'adapter', adapter: toAdapterRef(jobId, read.step) } };
}

function jobOf({ slug, target }: Deployment): string {
  if (target.kind === 'adapter') return target.adapter.jobId;
  throw invalidTarget(`must name a job, as in \`JOB_ID:final\`: ${slug} serves a base model`);
}

function invalidTarget(what: string): ApiError {
  return new ApiError('invalid_value', `\`target\` ${what}.`, { param: 'target' });
}
