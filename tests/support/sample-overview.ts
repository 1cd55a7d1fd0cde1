// The overview of a world of jobs and endpoints, as a cloud would give it.
import type { Deployment, JobSummary, Overview } from '../../lib/contract/index.js';

export function overviewOf(world: {
  readonly jobs: readonly JobSummary[];
  readonly deployments: readonly Deployment[];
}): Overview {
  const isUnderWay = ({ status }: JobSummary) => status === 'running' || status === 'queued';
  return {
    running: world.jobs
      .filter(isUnderWay)
      .sort((a, b) => b.status.localeCompare(a.status))
      .slice(0, 5),
    recent: world.jobs.filter(job => !isUnderWay(job)).slice(0, 5),
    endpoints: world.deployments.map(({ id, slug, enabled }, index) => ({
      id,
      slug,
      enabled,
      requests: enabled ? 120 - 40 * index : 0,
      failed: index === 0 && enabled ? 3 : 0,
    })),
  };
}
