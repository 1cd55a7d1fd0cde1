// What goes on in a project, in one answer of a bounded size: it is asked for every few seconds.
import type { CloudRoutes, JobSummary } from '../../contract/index.js';
import type { Handlers } from '../../http/index.js';
import type { Access } from '../access.js';
import type { RequestCounts } from '../edge/request-counts.js';
import type { Db } from '../store/db.js';

interface OverviewContext {
  db: Db;
  access: Access;
  counts: Pick<RequestCounts, 'read'>;
  /** The jobs of a project in these statuses, those that ended last or were created last first. */
  listSome(projectId: string, which: 'running' | 'ended', most: number): Promise<JobSummary[]>;
}

const MOST_JOBS = 5;

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
      return { running, recent, endpoints };
    },
  };
}
