// Who calls the cloud through this Studio. Only one route creates an identity; requests that arrive while it does wait for
// it, so that a page's first lists are those of the identity in its header.
import type { CloudCredentials } from '../../contract/index.js';
import type { Session } from '../../sdk/index.js';

export interface Caller {
  /** Creates an anonymous identity when there is none. */
  identify(): Promise<CloudCredentials>;
  /** Null when there is none and none is being created. Calls nobody. */
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
