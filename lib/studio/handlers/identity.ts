// The identity shown in the header. Creates an anonymous one if there is none. Never includes a token.
import type { Identity } from '../../contract/index.js';
import { describeIdentity, type Session } from '../../sdk/index.js';
import type { OwnIdentity } from '../project/own-identity.js';

export async function readIdentity(session: Session, identity: OwnIdentity): Promise<Identity> {
  return describeIdentity(session, await identity.ensure());
}

/** Like `readIdentity`, but creates nothing: null if there is no identity yet. Makes no requests. */
export async function peekIdentity(session: Session): Promise<Identity | null> {
  const who = await session.credentials();
  return who && describeIdentity(session, who);
}
