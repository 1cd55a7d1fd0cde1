// The routes of projects. Their scope is the organisation alone.
import { randomUUID } from 'node:crypto';
import { ApiError, type CloudRoutes, type Project } from '../../contract/index.js';
import type { Handlers } from '../../http/index.js';
import type { CloudAccess } from '../auth/access.js';
import type { CloudDeps } from '../deps.js';
import type { Db } from '../store/db.js';
import type { Tables } from '../store/tables.js';

export interface ProjectContext {
  db: Db;
  access: CloudAccess;
  deps: Pick<CloudDeps, 'now'>;
}

type ProjectRoutes = Pick<CloudRoutes, 'listProjects' | 'createProject'>;

export function projectHandlers({ db, access, deps }: ProjectContext): Handlers<ProjectRoutes> {
  return {
    async listProjects({ query, request }) {
      const orgId = await access.enterOrg(await access.identify(request), query.orgSlug);
      const rows = await db
        .selectFrom('projects')
        .selectAll()
        .where('org_id', '=', orgId)
        .orderBy('created_at')
        .orderBy('slug')
        .execute();
      return { projects: rows.map(toProject) };
    },
    async createProject({ query, body: { name, slug }, request }) {
      const orgId = await access.enterOrg(await access.identify(request), query.orgSlug);
      const created_at = (deps.now?.() ?? new Date()).toISOString();
      const row = { id: randomUUID(), org_id: orgId, slug, name, created_at };
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('projects')
        .values(row)
        .onConflict(conflict => conflict.columns(['org_id', 'slug']).doNothing())
        .executeTakeFirstOrThrow();
      if (numInsertedOrUpdatedRows) return { project: toProject(row) };
      throw new ApiError('project_exists', `There is a project ${slug} in ${query.orgSlug} already.`, {
        param: 'slug',
      });
    },
  };
}

function toProject({ id, org_id, slug, name, created_at }: Tables['projects']): Project {
  return { id, orgId: org_id, slug, name, createdAt: created_at };
}
