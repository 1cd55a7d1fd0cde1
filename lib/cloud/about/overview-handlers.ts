// Overviews for members of a project: recent activity in the project, and the cluster that its cloud trains on.
import { sql } from 'kysely';
import type { CloudRoutes, Cluster, ClusterActivity, JobSummary } from '../../contract/index.js';
import type { Handlers } from '../../http/index.js';
import type { Access } from '../auth/authorize.js';
import type { RequestCounts } from '../deployments/request-counts.js';
import type { Db } from '../store/db.js';

interface OverviewContext {
  db: Db;
  access: Access;
  counts: Pick<RequestCounts, 'read' | 'readStart'>;
  /** A project's jobs in these statuses, most recently ended or created first. */
  listSome(projectId: string, which: 'running' | 'ended', most: number): Promise<JobSummary[]>;
}

const MOST_JOBS = 5;

/** Has a bounded size, because clients poll it every few seconds. */
export function overviewHandlers(context: OverviewContext): Handlers<Pick<CloudRoutes, 'getOverview'>> {
  const { db, access, counts, listSome } = context;
  return {
    async getOverview({ request, query }) {
      const { projectId } = await access.authorize(request, query);
      const [running, recent, rows] = await Promise.all([
        listSome(projectId, 'running', MOST_JOBS),
        listSome(projectId, 'ended', MOST_JOBS),
        db
          .selectFrom('deployments')
          .select(['id', 'slug', 'enabled'])
          .where('project_id', '=', projectId)
          .orderBy('number', 'desc')
          .execute(),
      ]);
      const endpoints = rows.map(({ id, slug, enabled }) => ({
        id,
        slug,
        enabled: enabled === 1,
        ...counts.read(id),
      }));
      return { running, recent, endpoints, ...counts.readStart() };
    },
  };
}

interface ClusterContext {
  db: Db;
  access: Access;
  deps: { readCluster?: (() => Promise<Cluster>) | undefined };
}

type ListPlaces = () => Pick<ClusterActivity, 'runs' | 'waits'>;

/** Does not name jobs of other projects. */
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
