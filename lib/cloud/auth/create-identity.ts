// Makes an anonymous identity, with an organisation that is its own.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { AnonymousIdentity, Org } from '../../contract/index.js';
import type { Db } from '../store/db.js';
import type { Tables } from '../store/tables.js';
import { createAnonymousToken, hashToken } from './token.js';

type Minted = Pick<AnonymousIdentity, 'token' | 'anonymousId' | 'personalOrg'>;

/** The token is told here and never again. */
export function createAnonymousIdentity(db: Db, now: Date, drawSlug = drawOrgSlug): Promise<Minted> {
  const token = createAnonymousToken();
  const id = randomUUID();
  const at = now.toISOString();
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
        created_at: at,
      })
      .execute();
    const personalOrg = await createPersonalOrg(transaction, at, drawSlug);
    await transaction.insertInto('memberships').values({ identity_id: id, org_id: personalOrg.id }).execute();
    return { token, anonymousId: id, personalOrg };
  });
}

async function createPersonalOrg(
  transaction: Transaction<Tables>,
  at: string,
  drawSlug: () => string,
): Promise<Org> {
  while (true) {
    const slug = drawSlug();
    const org = { id: randomUUID(), slug, name: slug };
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('orgs')
      .values({ ...org, created_at: at })
      .onConflict(conflict => conflict.column('slug').doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows) return org;
  }
}

/** No letters that are read as one another. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

function drawOrgSlug(): string {
  return `anon-${Array.from(randomBytes(6), byte => ALPHABET[byte % ALPHABET.length]).join('')}`;
}
