// The personal organization of each identity.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Org } from '../../contract/index.js';
import type { Tables } from '../store/tables.js';

/** Call it inside the transaction that creates the identity. Draws another name if one is taken. */
export async function createPersonalOrg(
  transaction: Transaction<Tables>,
  owner: { id: string; created_at: string },
  drawSlug: () => string,
): Promise<Org> {
  while (true) {
    const slug = drawSlug();
    const org = { id: randomUUID(), slug, name: slug };
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('orgs')
      .values({ ...org, created_at: owner.created_at })
      .onConflict(conflict => conflict.column('slug').doNothing())
      .executeTakeFirstOrThrow();
    if (!numInsertedOrUpdatedRows) continue;
    await transaction.insertInto('memberships').values({ identity_id: owner.id, org_id: org.id }).execute();
    return org;
  }
}

/** No letters that look alike. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

export function drawOrgSlug(prefix: 'anon' | 'user'): string {
  return `${prefix}-${Array.from(randomBytes(6), byte => ALPHABET[byte % ALPHABET.length]).join('')}`;
}
