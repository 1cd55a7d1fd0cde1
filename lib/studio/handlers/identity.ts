// Who calls, for the header of both faces. An anonymous identity is made when there is none; a token is never told.
import type { Identity } from '../../contract/index.js';
import { describeIdentity, type Session } from '../../sdk/index.js';
import type { Caller } from '../project/caller.js';

export async function readIdentity(session: Session, caller: Caller): Promise<Identity> {
  return describeIdentity(session, await caller.identify());
}

/** The same without making one: null when we are nobody yet. Calls nobody. */
export async function peekIdentity(session: Session): Promise<Identity | null> {
  const who = await session.credentials();
  return who && describeIdentity(session, who);
}
