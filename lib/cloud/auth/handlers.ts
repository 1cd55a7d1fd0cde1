// The routes of identities: anonymous sign-up, and who one is.
import { ApiError, CLOUD_SECRET_HEADER, type CloudRoutes } from '../../contract/index.js';
import type { Handlers } from '../../http/index.js';
import type { Access } from '../access.js';
import type { CloudDeps } from '../deps.js';
import type { Db } from '../store/db.js';
import { anonymousDisabled } from './access.js';
import { createAnonymousIdentity } from './create-identity.js';
import { knowsSecret } from './secret.js';

export interface AuthContext {
  db: Db;
  access: Access;
  deps: Pick<CloudDeps, 'address' | 'anonymous' | 'oauth' | 'baseModel' | 'secret' | 'now'>;
}

export function authHandlers({
  db,
  access,
  deps,
}: AuthContext): Handlers<Pick<CloudRoutes, 'signUpAnonymously' | 'getMe'>> {
  return {
    async signUpAnonymously({ body: { kind }, request }) {
      requireSignUp(request, deps);
      const minted = await createAnonymousIdentity(db, deps.now?.() ?? new Date());
      const { deploymentDomain } = deps.address;
      return { ...minted, kind, deploymentDomain, baseModel: deps.baseModel.name };
    },
    async getMe({ request }) {
      const { identityId, mode, subject } = await access.identify(request);
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

function requireSignUp(request: Request, { anonymous, oauth, secret }: AuthContext['deps']): void {
  if (anonymous === 'open') return;
  if (anonymous === 'off') throw anonymousDisabled(oauth !== undefined);
  if (knowsSecret(request, secret)) return;
  throw new ApiError(
    'anonymous_disabled',
    `This cloud makes identities only for its own user: the secret of cloud.json is missing in ${CLOUD_SECRET_HEADER}, or is not the right one.`,
  );
}
