// Identities, each with a personal organization: anonymous ones, and those of users from an identity provider.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { AnonymousIdentity, Org } from '../../contract/index.js';
import type { Db } from '../store/db.js';
import { mismatch } from '../store/once.js';
import type { Tables } from '../store/tables.js';
import type { Caller } from './authorize.js';
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

/** Replaces an identity's first token if nobody received it. Throws if it has been used. */
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

interface User {
  issuer: string;
  /** The issuer's permanent ID for the user. */
  subject: string;
  email: string | null;
}

/** The user's identity, created on the first call. */
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

/** If two first calls race, the second finds the identity that the first created. */
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

/** Call it inside the transaction that creates the identity. Picks another name on a collision. */
async function createPersonalOrg(
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

/** No look-alike letters. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

function drawOrgSlug(prefix: 'anon' | 'user'): string {
  return `${prefix}-${Array.from(randomBytes(6), byte => ALPHABET[byte % ALPHABET.length]).join('')}`;
}
