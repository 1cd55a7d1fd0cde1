// An attempt's submission to Ray: an entrypoint that takes no CPU itself, and metadata that say where to claim the attempt.
// All share one environment: for each different one, a joining machine unpacks the package again, even while a worker uses
// it.
import type { RunDocument } from '../../contract/index.js';
import { OFFLINE } from '../offline.js';
import type { NewSubmission } from './client.js';
import { NODE_FOLDER } from './package/build-package.js';

/** The parts of a run that Ray needs. */
export type RayRun = Pick<RunDocument, 'jobId' | 'attempt' | 'engine' | 'resources'>;

/** Ray sends usage statistics unless each process opts out. */
export const PRIVATE = { RAY_USAGE_STATS_ENABLED: '0', ...OFFLINE } as const;

const ENTRYPOINT = 'python -m svc_ray.run';

/** Derived from the attempt, so that submitting it twice is harmless. */
export function submissionId({ jobId, attempt }: Pick<RayRun, 'jobId' | 'attempt'>): string {
  return `svc-${jobId}-${attempt}`;
}

export const needsEngine = ({ engine }: Pick<RayRun, 'engine'>) => engine !== 'torch';

export function toSubmission(
  run: RayRun,
  { url, claimToken }: Record<'url' | 'claimToken', string>,
  packageUri: string,
): NewSubmission {
  return {
    entrypoint: ENTRYPOINT,
    submission_id: submissionId(run),
    entrypoint_num_cpus: 0,
    metadata: {
      svc_job: run.jobId,
      svc_attempt: String(run.attempt),
      svc_url: url,
      svc_token: claimToken,
      svc_engine: run.engine ?? 'auto',
      svc_resources: JSON.stringify(run.resources),
    },
    runtime_env: {
      working_dir: packageUri,
      env_vars: {
        ...(needsEngine(run) && { SVC_NODE_PACKAGE: NODE_FOLDER }),
        ...PRIVATE,
      },
    },
  };
}
