// The view of each place.
import type { Location } from '../../../lib/console/index.js';
import { Cluster } from './cluster/cluster.js';
import { Compare } from './compare/compare.js';
import { Data } from './data/data.js';
import { DeploymentPage } from './deployment/deployment.js';
import { Deployments } from './deployments/deployments.js';
import { JobPage } from './job/job.js';
import { Jobs } from './jobs/jobs.js';
import { Kept } from './kept/kept.js';
import { Overview } from './overview/overview.js';
import { Playground } from './playground/playground.js';
import { Rows } from './rows/rows.js';

export function ViewAt({ location }: { location: Location }) {
  const { tab, id, rows, requests, compare, data, cluster, job = null } = location;
  if (cluster) return <Cluster />;
  if (data) return <Data />;
  if (compare) return <Compare names={compare} />;
  if (tab === 'overview') return <Overview />;
  if (tab === 'playground') return <Playground job={job} />;
  if (tab === 'jobs') {
    if (id === null) return <Jobs />;
    return rows === undefined ? <JobPage id={id} /> : <Rows jobId={id} rows={rows} />;
  }
  if (id === null) return <Deployments job={job} />;
  return requests ? <Kept deploymentId={id} /> : <DeploymentPage id={id} />;
}
