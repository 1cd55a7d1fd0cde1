// The identity this Studio uses in the cloud. Only one route creates it. Requests that arrive meanwhile wait, so that a
// page's first lists belong to the identity in its header.
import type { CloudCredentials } from '../../contract/index.js';
import type { Session } from '../../sdk/index.js';

export interface Caller {
  /** Creates an anonymous identity if there is none. */
  identify(): Promise<CloudCredentials>;
  /** Null if there is none and none is being created. Makes no requests. */
  known(): Promise<CloudCredentials | null>;
}

export function createCaller(session: Session): Caller {
  const creating = new Set<Promise<unknown>>();

  return {
    async identify() {
      const identity = session.identify();
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
