// The routes of projects. Their scope is the organization alone.
import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Clock } from '../../clock/index.js';
import { ApiError, type CloudRoutes, type Project } from '../../contract/index.js';
import type { Handlers } from '../../http/index.js';
import type { Db } from '../store/db.js';
import { once } from '../store/once.js';
import type { Tables } from '../store/tables.js';
import type { CloudAccess } from './authorize.js';

interface ProjectContext {
  db: Db;
  access: CloudAccess;
  clock: Clock;
}

type ProjectRoutes = Pick<CloudRoutes, 'listProjects' | 'createProject'>;

export function projectHandlers({ db, access, clock }: ProjectContext): Handlers<ProjectRoutes> {
  return {
    async listProjects({ query, request }) {
      const orgId = await access.authorizeOrg(await access.authenticate(request), query.orgSlug);
      const rows = await db
        .selectFrom('projects')
        .selectAll()
        .where('org_id', '=', orgId)
        .orderBy('created_at')
        .orderBy('slug')
        .execute();
      return { projects: rows.map(toProject) };
    },
    async createProject({ query, body, request, idempotencyKey: key }) {
      const caller = await access.authenticate(request);
      const orgId = await access.authorizeOrg(caller, query.orgSlug);
      const now = new Date(clock.now());
      const asked = { key, caller: caller.identityId, request: ['createProject', query, body] };
      const row = { id: randomUUID(), org_id: orgId, ...body, created_at: now.toISOString() };
      const { answer } = await once({ db, now }, asked, {
        create: async transaction => {
          if (await insertProject(transaction, row)) return { project: toProject(row) };
          throw projectExists(body.slug, query.orgSlug);
        },
      });
      return answer;
    },
  };
}

/** False if the organization already has one with this slug. */
async function insertProject(transaction: Transaction<Tables>, row: Tables['projects']): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('projects')
    .values(row)
    .onConflict(conflict => conflict.columns(['org_id', 'slug']).doNothing())
    .executeTakeFirstOrThrow();
  return Boolean(numInsertedOrUpdatedRows);
}

function projectExists(slug: string, orgSlug: string): ApiError {
  return new ApiError('project_exists', `Project ${slug} already exists in ${orgSlug}.`, {
    param: 'slug',
  });
}

function toProject({ id, org_id, slug, name, created_at }: Tables['projects']): Project {
  return { id, orgId: org_id, slug, name, createdAt: created_at };
}
