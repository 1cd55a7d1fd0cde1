// The way of a request into the project's scope in the cloud. Which requests may make the project, and which find nothing
// without one, is said by which of the three ways they take.
import type { CloudClient } from '../../client/index.js';
import type { ApiError } from '../../contract/index.js';
import type { Session } from '../../sdk/index.js';

type Work<T> = (cloud: CloudClient) => Promise<T>;

export interface ProjectAccess {
  /** For what needs a project: it is made for anonymous callers who have none. */
  enter<T>(work: Work<T>): Promise<T>;
  /** For what a folder without a project cannot have: `missing` says so, and nobody is called. */
  existing<T>(missing: () => ApiError, work: Work<T>): Promise<T>;
  /** For lists: null without a state file, whoever asks, and nobody is called. */
  ifAny<T>(work: Work<T>): Promise<T | null>;
}

export function createProjectAccess(session: Session): ProjectAccess {
  const enter = async <T>(work: Work<T>): Promise<T> => work(await session.project());

  return {
    enter,
    async existing(missing, work) {
      // Who is signed in and has no state file is told how to write it.
      const isOpen = (await session.state()) !== null || (await session.credentials())?.mode === 'oauth';
      if (!isOpen) throw missing();
      return enter(work);
    },
    ifAny: async work => ((await session.state()) === null ? null : enter(work)),
  };
}
