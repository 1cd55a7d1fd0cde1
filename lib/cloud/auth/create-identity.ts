// Makes an anonymous identity, with an organisation that is its own.
import { randomUUID } from 'node:crypto';
import type { AnonymousIdentity } from '../../contract/index.js';
import type { Db } from '../store/db.js';
import { createPersonalOrg, drawOrgSlug } from './personal-org.js';
import { createAnonymousToken, hashToken } from './token.js';

type Minted = Pick<AnonymousIdentity, 'token' | 'anonymousId' | 'personalOrg'>;

/** The token is told here and never again. */
export function createAnonymousIdentity(
  db: Db,
  now: Date,
  drawSlug = () => drawOrgSlug('anon'),
): Promise<Minted> {
  const token = createAnonymousToken();
  const id = randomUUID();
  const created_at = now.toISOString();
  return db.transaction().execute(async transaction => {
    await transaction
      .insertInto('identities')
      .values({
        id,
        mode: 'anonymous',
        subject: id,
        issuer: '',
        email: null,
        token_hash: hashToken(token),
        created_at,
      })
      .execute();
    const personalOrg = await createPersonalOrg(transaction, { id, created_at }, drawSlug);
    return { token, anonymousId: id, personalOrg };
  });
}
