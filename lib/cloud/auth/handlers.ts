// Routes for identities (anonymous sign-up, the caller's identity) and projects.
import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { Clock } from '../../clock/index.js';
import { ApiError, CLOUD_SECRET_HEADER, type CloudRoutes, type Project } from '../../contract/index.js';
import type { Handlers } from '../../http/index.js';
import type { CloudDeps } from '../deps.js';
import type { Db } from '../store/db.js';
import { once } from '../store/once.js';
import type { Tables } from '../store/tables.js';
import type { Access } from './authorize.js';
import { anonymousDisabled, type CloudAccess } from './authorize.js';
import { createAnonymousIdentity, replaceToken } from './identities.js';
import { knowsSecret } from './token.js';

interface AuthContext {
  db: Db;
  access: Access;
  deps: Pick<CloudDeps, 'address' | 'anonymous' | 'oauth' | 'baseModel' | 'secret'>;
  clock: Clock;
}

export function authHandlers({
  db,
  access,
  deps,
  clock,
}: AuthContext): Handlers<Pick<CloudRoutes, 'signUpAnonymously' | 'getMe'>> {
  return {
    async signUpAnonymously({ body, request, idempotencyKey: key }) {
      requireSignUp(request, deps);
      requireUnguessable(key);
      const now = new Date(clock.now());
      const idempotency = { key, caller: 'sign-up', request: ['signUpAnonymously', body] };
      const { answer: minted } = await once({ db, now }, idempotency, {
        create: transaction => createAnonymousIdentity(transaction, now),
        note: ({ anonymousId }) => anonymousId,
        repeat: (transaction, id) => replaceToken(transaction, id as string),
      });
      const { deploymentDomain } = deps.address;
      return { ...minted, kind: body.kind, deploymentDomain, baseModel: deps.baseModel.name };
    },
    async getMe({ request }) {
      const { identityId, mode, subject } = await access.authenticate(request);
      const [identity, orgs] = await Promise.all([
        db.selectFrom('identities').select('email').where('id', '=', identityId).executeTakeFirst(),
        db
          .selectFrom('orgs')
          .innerJoin('memberships', 'memberships.org_id', 'orgs.id')
          .select(['orgs.id', 'orgs.slug', 'orgs.name'])
          .where('memberships.identity_id', '=', identityId)
          .orderBy('orgs.slug')
          .execute(),
      ]);
      return { mode, subject, email: identity?.email ?? null, orgs };
    },
  };
}

const UNGUESSABLE = 32;

/**
 * Before an identity exists there is no caller to check: someone who guessed the key could take over an unused
 * identity.
 */
function requireUnguessable(key: string | null): void {
  if (key === null || key.length >= UNGUESSABLE) return;
  throw new ApiError(
    'invalid_value',
    `Here \`Idempotency-Key\` must have at least ${UNGUESSABLE} characters; use a random UUID.`,
    { param: 'idempotency-key' },
  );
}

function requireSignUp(request: Request, { anonymous, oauth, secret }: AuthContext['deps']): void {
  if (anonymous === 'open') return;
  if (anonymous === 'off') throw anonymousDisabled(oauth !== undefined);
  if (knowsSecret(request, secret)) return;
  throw new ApiError(
    'anonymous_disabled',
    `This cloud creates identities only for its own user: send the secret from cloud.json in ${CLOUD_SECRET_HEADER}.`,
  );
}

interface ProjectContext {
  db: Db;
  access: CloudAccess;
  clock: Clock;
}

type ProjectRoutes = Pick<CloudRoutes, 'listProjects' | 'createProject'>;

/** Scoped to the organization alone. */
export function projectHandlers({ db, access, clock }: ProjectContext): Handlers<ProjectRoutes> {
  return {
    async listProjects({ query, request }) {
      const orgId = await access.authorizeOrg(await access.authenticate(request), query.orgSlug);
      const rows = await db
        .selectFrom('projects')
        .selectAll()
        .where('org_id', '=', orgId)
        .orderBy('created_at')
        // Several may share a millisecond.
        .orderBy(sql`rowid`)
        .execute();
      return { projects: rows.map(toProject) };
    },
    async createProject({ query, body, request, idempotencyKey: key }) {
      const caller = await access.authenticate(request);
      const orgId = await access.authorizeOrg(caller, query.orgSlug);
      const now = new Date(clock.now());
      const idempotency = { key, caller: caller.identityId, request: ['createProject', query, body] };
      const row = { id: randomUUID(), org_id: orgId, ...body, created_at: now.toISOString() };
      const { answer } = await once({ db, now }, idempotency, {
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
