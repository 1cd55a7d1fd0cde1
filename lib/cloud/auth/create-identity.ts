// Creates an anonymous identity with its personal organization.
import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { AnonymousIdentity } from '../../contract/index.js';
import { mismatch } from '../store/once.js';
import type { Tables } from '../store/tables.js';
import { createPersonalOrg, drawOrgSlug } from './personal-org.js';
import { createAnonymousToken, hashToken } from './token.js';

type Minted = Pick<AnonymousIdentity, 'token' | 'anonymousId' | 'personalOrg'>;

/** The token is returned only here. */
export async function createAnonymousIdentity(
  transaction: Transaction<Tables>,
  now: Date,
  drawSlug = () => drawOrgSlug('anon'),
): Promise<Minted> {
  const token = createAnonymousToken();
  const id = randomUUID();
  const created_at = now.toISOString();
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
}

/** Replaces the token of an identity whose first token nobody received. Throws if that one has been used. */
export async function replaceToken(transaction: Transaction<Tables>, id: string): Promise<Minted> {
  const personalOrg = await transaction
    .selectFrom('orgs')
    .innerJoin('memberships', 'memberships.org_id', 'orgs.id')
    .leftJoin('projects', 'projects.org_id', 'orgs.id')
    .select(['orgs.id', 'orgs.slug', 'orgs.name'])
    .where('memberships.identity_id', '=', id)
    .where('projects.id', 'is', null)
    .executeTakeFirst();
  if (!personalOrg)
    throw mismatch(
      'The identity that this request created has been used since, so its token was received. Use a new `Idempotency-Key` to create another one.',
    );
  const token = createAnonymousToken();
  await transaction
    .updateTable('identities')
    .set({ token_hash: hashToken(token) })
    .where('id', '=', id)
    .execute();
  return { token, anonymousId: id, personalOrg };
}
