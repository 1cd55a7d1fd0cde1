// The way of a request into the project's scope in the cloud. Which requests may create an identity and a project, and
// which find nothing without them, is said by which of the three ways they take.
import type { CloudClient } from '../../client/index.js';
import { ApiError, type CloudCredentials } from '../../contract/index.js';
import { hostOf, type Session } from '../../sdk/index.js';
import type { Caller } from './caller.js';

type Work<T> = (cloud: CloudClient) => Promise<T>;

export interface ProjectAccess {
  /** For what needs a project: both identity and project are created for callers who have none. */
  enter<T>(work: Work<T>): Promise<T>;
  /** For what a folder without a project cannot have: `missing` says so. Creates nothing, and calls nobody in vain. */
  existing<T>(missing: () => ApiError, work: Work<T>): Promise<T>;
  /** For lists: null without a state file. Creates nothing, and calls nobody in vain. */
  ifAny<T>(work: Work<T>): Promise<T | null>;
}

export function createProjectAccess(session: Session, caller: Caller): ProjectAccess {
  const enter = async <T>(work: Work<T>): Promise<T> => work(await session.project());
  const enterAs = async <T>(who: CloudCredentials | null, work: Work<T>): Promise<T> => {
    if (!who) throw await noIdentity(session);
    return enter(work);
  };

  return {
    enter,
    async existing(missing, work) {
      const [state, who] = await Promise.all([session.state(), caller.known()]);
      // A signed-in caller without a state file is told how to write it.
      if (state === null && who?.mode !== 'oauth') throw missing();
      return enterAs(who, work);
    },
    ifAny: async work => ((await session.state()) === null ? null : enterAs(await caller.known(), work)),
  };
}

async function noIdentity(session: Session): Promise<ApiError> {
  const where = hostOf(await session.choose());
  return new ApiError('unauthenticated', `No identity on ${where} yet; opening Studio creates one.`);
}
