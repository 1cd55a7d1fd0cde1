// Who calls, and whether they are in the organisation and project that they name. What belongs to others is answered as
// if it were not there.
import { ApiError } from '../../contract/index.js';
import type { Access, Caller } from '../access.js';
import type { Db } from '../store/db.js';
import { hashToken, isAnonymousToken, isSameText, readBearer } from './token.js';

/** Knows the tokens of an identity provider. */
export interface TokenVerifier {
  /** Null when it is none of its tokens, or no longer good. */
  verify(token: string): Promise<Caller | null>;
}

export interface AccessOptions {
  db: Db;
  /** A cloud on the caller's own machine: an identity that it does not know was wiped with its data. */
  local: boolean;
  verifier?: TokenVerifier;
}

export interface CloudAccess extends Access {
  /** The id of an organisation that the caller is in; throws `project_not_found` for any other. */
  enterOrg(caller: Caller, orgSlug: string): Promise<string>;
}

export function createAccess({ db, local, verifier }: AccessOptions): CloudAccess {
  async function identify(request: Request): Promise<Caller> {
    const token = readBearer(request);
    if (token === null) throw unauthenticated('This needs an identity: run `svc login`.');
    const caller = isAnonymousToken(token) ? await findAnonymous(db, token) : await verifier?.verify(token);
    if (caller) return caller;
    throw unauthenticated(
      local && isAnonymousToken(token)
        ? 'This cloud does not know you (was its data wiped?): run `svc logout`.'
        : 'This cloud does not know your token: run `svc login`.',
    );
  }

  return {
    identify,
    enterOrg: (caller, orgSlug) => findOrg(db, caller, orgSlug),
    async enter(request, { orgSlug, projectSlug }) {
      const caller = await identify(request);
      const orgId = await findOrg(db, caller, orgSlug);
      const projectId = await findProject(db, orgId, projectSlug);
      if (projectId !== null) return { caller, orgId, projectId };
      throw notFound('projectSlug', `There is no project ${projectSlug} in ${orgSlug}.`);
    },
  };
}

async function findOrg(db: Db, { identityId }: Caller, slug: string): Promise<string> {
  const org = await db
    .selectFrom('orgs')
    .innerJoin('memberships', 'memberships.org_id', 'orgs.id')
    .select('orgs.id')
    .where('orgs.slug', '=', slug)
    .where('memberships.identity_id', '=', identityId)
    .executeTakeFirst();
  if (org) return org.id;
  throw notFound('orgSlug', `You are in no organisation ${slug}.`);
}

async function findProject(db: Db, orgId: string, slug: string): Promise<string | null> {
  const project = await db
    .selectFrom('projects')
    .select('id')
    .where('org_id', '=', orgId)
    .where('slug', '=', slug)
    .executeTakeFirst();
  return project?.id ?? null;
}

async function findAnonymous(db: Db, token: string): Promise<Caller | null> {
  const hash = hashToken(token);
  const found = await db
    .selectFrom('identities')
    .select(['id', 'mode', 'subject', 'token_hash'])
    .where('token_hash', '=', hash)
    .executeTakeFirst();
  if (!found?.token_hash || !isSameText(found.token_hash, hash)) return null;
  return { identityId: found.id, mode: found.mode, subject: found.subject };
}

function unauthenticated(message: string): ApiError {
  return new ApiError('unauthenticated', message, { headers: { 'www-authenticate': 'Bearer' } });
}

function notFound(param: string, message: string): ApiError {
  return new ApiError('project_not_found', message, { param });
}
