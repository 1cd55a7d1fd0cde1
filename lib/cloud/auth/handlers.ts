// The routes of identities: anonymous sign-up, and the caller's identity.
import type { Clock } from '../../clock/index.js';
import { ApiError, CLOUD_SECRET_HEADER, type CloudRoutes } from '../../contract/index.js';
import type { Handlers } from '../../http/index.js';
import type { Access } from '../access.js';
import type { CloudDeps } from '../deps.js';
import type { Db } from '../store/db.js';
import { once } from '../store/once.js';
import { anonymousDisabled } from './authorize.js';
import { createAnonymousIdentity, replaceToken } from './create-identity.js';
import { knowsSecret } from './secret.js';

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
      const asked = { key, caller: 'sign-up', request: ['signUpAnonymously', body] };
      const { answer: minted } = await once({ db, now }, asked, {
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
