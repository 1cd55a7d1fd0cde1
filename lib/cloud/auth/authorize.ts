// Identifies the caller and checks that they belong to the organization and project they name. Other people's resources are
// reported as missing.
import { ApiError, type IdentityMode, type Scope } from '../../contract/index.js';
import type { Db } from '../store/db.js';
import { hashToken, isAnonymousToken, isSameText, readBearer } from './token.js';

export interface Caller {
  identityId: string;
  mode: IdentityMode;
  /** The anonymous ID, or the identity provider's subject. */
  subject: string;
}

/** A project that the caller is a member of. */
export interface ProjectScope {
  caller: Caller;
  orgId: string;
  projectId: string;
}

/** The first check of every protected route. */
export interface Access {
  /** Throws `unauthenticated`. */
  authenticate(request: Request): Promise<Caller>;
  /** Throws `unauthenticated`, or `project_not_found` for a missing or foreign project. */
  authorize(request: Request, scope: Scope): Promise<ProjectScope>;
}

/** Verifies an identity provider's tokens. */
export interface TokenVerifier {
  /** Null for a token that is from another issuer, expired or otherwise invalid. */
  verify(token: string): Promise<Caller | null>;
}

interface AccessOptions {
  db: Db;
  /** For a cloud on the caller's own machine: an unknown identity means that its data was wiped. */
  local: boolean;
  /** Whether anonymous identities are accepted. Default: true. */
  anonymous?: boolean;
  verifier?: TokenVerifier | undefined;
}

export interface CloudAccess extends Access {
  /** The ID of the caller's organization. Throws `project_not_found` for any other. */
  authorizeOrg(caller: Caller, orgSlug: string): Promise<string>;
}

/** Hint for callers without credentials. */
const SIGN_IN = 'run `svc login`.';
const ADMIT =
  'this cloud has no identity provider, and anonymous identities are off. Ask its operator to restart it with --oauth-issuer and --oauth-audience, or with --anonymous. Endpoints still accept their API keys.';

export function createAccess({ db, local, anonymous = true, verifier }: AccessOptions): CloudAccess {
  const signIn = anonymous || verifier ? SIGN_IN : ADMIT;

  async function authenticate(request: Request): Promise<Caller> {
    const token = readBearer(request);
    if (token === null) throw unauthenticated('Bearer', `This requires an identity: ${signIn}`);
    if (isAnonymousToken(token) && !anonymous) throw anonymousDisabled(verifier !== undefined);
    const caller = isAnonymousToken(token) ? await findAnonymous(db, token) : await verifier?.verify(token);
    if (caller) return caller;
    throw unauthenticated(
      'Bearer error="invalid_token"',
      local && isAnonymousToken(token)
        ? 'This cloud does not know you (was its data wiped?): run `svc logout`.'
        : `Your token is unknown or has expired: ${signIn}`,
    );
  }

  return {
    authenticate,
    authorizeOrg: (caller, orgSlug) => findOrg(db, caller, orgSlug),
    async authorize(request, { orgSlug, projectSlug }) {
      const caller = await authenticate(request);
      const orgId = await findOrg(db, caller, orgSlug);
      const projectId = await findProject(db, orgId, projectSlug);
      if (projectId !== null) return { caller, orgId, projectId };
      throw notFound('projectSlug', `Project ${projectSlug} not found in ${orgSlug}.`);
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
  throw notFound('orgSlug', `You are not in an organization named ${slug}.`);
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

export function anonymousDisabled(hasProvider: boolean): ApiError {
  const message = hasProvider
    ? `This cloud does not accept anonymous identities: ${SIGN_IN}`
    : `No one can sign in: ${ADMIT}`;
  return new ApiError('anonymous_disabled', message);
}

function unauthenticated(challenge: string, message: string): ApiError {
  return new ApiError('unauthenticated', message, { headers: { 'www-authenticate': challenge } });
}

function notFound(param: string, message: string): ApiError {
  return new ApiError('project_not_found', message, { param });
}
