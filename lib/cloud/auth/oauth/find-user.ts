// The identity of a user whom the identity provider vouches for. It is created, with a personal organization, on the
// user's first call.
import { randomUUID } from 'node:crypto';
import type { Caller } from '../../access.js';
import type { Db } from '../../store/db.js';
import { createPersonalOrg, drawOrgSlug } from '../personal-org.js';

interface User {
  issuer: string;
  /** The issuer's permanent ID for the user. */
  subject: string;
  email: string | null;
}

export async function findUser(db: Db, user: User, now: Date): Promise<Caller> {
  return (await readUser(db, user)) ?? (await createUser(db, user, now));
}

async function readUser(db: Db, { issuer, subject }: User): Promise<Caller | null> {
  const found = await db
    .selectFrom('identities')
    .select('id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('mode', '=', 'oauth')
    .executeTakeFirst();
  return found ? { identityId: found.id, mode: 'oauth', subject } : null;
}

/** Of two simultaneous first calls, the second finds what the first created. */
async function createUser(db: Db, user: User, now: Date): Promise<Caller> {
  const id = randomUUID();
  const created_at = now.toISOString();
  await db.transaction().execute(async transaction => {
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto('identities')
      .values({ id, mode: 'oauth', token_hash: null, created_at, ...user })
      .onConflict(conflict => conflict.columns(['issuer', 'subject']).doNothing())
      .executeTakeFirstOrThrow();
    if (numInsertedOrUpdatedRows)
      await createPersonalOrg(transaction, { id, created_at }, () => drawOrgSlug('user'));
  });
  return (await readUser(db, user))!;
}
