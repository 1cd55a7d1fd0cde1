// The cluster that a cloud trains on, for members of a project. Jobs of other projects are not named.
import { sql } from 'kysely';
import type { CloudRoutes, Cluster, ClusterActivity } from '../../contract/index.js';
import type { Handlers } from '../../http/index.js';
import type { Access } from '../access.js';
import type { Db } from '../store/db.js';

interface ClusterContext {
  db: Db;
  access: Access;
  deps: { readCluster?: (() => Promise<Cluster>) | undefined };
}

type ListPlaces = () => Pick<ClusterActivity, 'runs' | 'waits'>;

export function clusterHandlers(
  { db, access, deps }: ClusterContext,
  listPlaces: ListPlaces,
): Handlers<Pick<CloudRoutes, 'getCluster'>> {
  return {
    async getCluster({ request, query }) {
      const { projectId } = await access.authorize(request, query);
      const cluster = await deps.readCluster?.();
      if (!cluster) return { cluster: null };
      const { runs, waits } = listPlaces();
      const own = await ownJobs(db, projectId, [...runs, ...waits]);
      const isOwn = ({ jobId }: { jobId: string }) => own.has(jobId);
      return { cluster: { ...cluster, runs: runs.filter(isOwn), waits: waits.filter(isOwn) } };
    },
  };
}

async function ownJobs(db: Db, projectId: string, named: readonly { jobId: string }[]): Promise<Set<string>> {
  if (named.length === 0) return new Set();
  const ids = JSON.stringify(named.map(({ jobId }) => jobId));
  const rows = await db
    .selectFrom('jobs')
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', 'in', sql<string>`(SELECT value FROM json_each(${ids}))`)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
