// The identity shown in the header. Creates an anonymous one if there is none. Never includes a token.
import type { Identity } from '../../contract/index.js';
import { describeIdentity, type Session } from '../../sdk/index.js';
import type { Caller } from '../project/caller.js';

export async function readIdentity(session: Session, caller: Caller): Promise<Identity> {
  return describeIdentity(session, await caller.identify());
}

/** Like `readIdentity`, but creates nothing: null if there is no identity yet. Makes no requests. */
export async function peekIdentity(session: Session): Promise<Identity | null> {
  const who = await session.credentials();
  return who && describeIdentity(session, who);
}
