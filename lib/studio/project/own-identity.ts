// The identity this Studio uses in the cloud. Only one route creates it. Requests that arrive meanwhile wait, so that a
// page's first lists belong to the identity in its header.
import type { CloudCredentials } from '../../contract/index.js';
import type { Session } from '../../sdk/index.js';

export interface OwnIdentity {
  /** Creates an anonymous identity if there is none. */
  ensure(): Promise<CloudCredentials>;
  /** Null if there is none and none is being created. Makes no requests. */
  known(): Promise<CloudCredentials | null>;
}

export function createOwnIdentity(session: Session): OwnIdentity {
  const creating = new Set<Promise<unknown>>();

  return {
    async ensure() {
      const identity = session.ensureIdentity();
      creating.add(identity);
      try {
        return await identity;
      } finally {
        creating.delete(identity);
      }
    },
    async known() {
      await Promise.allSettled(creating);
      return session.credentials();
    },
  };
}
