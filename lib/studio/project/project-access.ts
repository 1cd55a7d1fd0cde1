// Runs a request in the project's scope in the cloud. The three methods differ in whether they may create an identity
// and a project, or find nothing without them.
// Requests share one client until a file that it depends on changes: it then knows which lists have not changed.
import type { CloudClient } from '../../client/index.js';
import { ApiError, type CloudCredentials } from '../../contract/index.js';
import { hostOf, type Session } from '../../sdk/index.js';
import type { OwnIdentity } from './own-identity.js';

type Work<T> = (cloud: CloudClient) => Promise<T>;

export interface ProjectAccess {
  /** For requests that need a project: creates the identity and the project if missing. */
  ensure<T>(work: Work<T>): Promise<T>;
  /** For things that only exist in a project: throws `missing` without one. Creates nothing; no needless requests. */
  existing<T>(missing: () => ApiError, work: Work<T>): Promise<T>;
  /** For lists: null without a state file. Creates nothing; no needless requests. */
  ifAny<T>(work: Work<T>): Promise<T | null>;
}

export function createProjectAccess(session: Session, identity: OwnIdentity): ProjectAccess {
  let last: { generation: string; cloud: CloudClient } | null = null;

  /** The client of the last request, if nothing it depends on has changed since. */
  async function current(): Promise<CloudClient | null> {
    return last !== null && last.generation === (await session.generation()) ? last.cloud : null;
  }

  async function open(): Promise<CloudClient> {
    const before = await session.generation();
    const cloud = await session.projectClient();
    const isSettled = before === (await session.generation());
    last = isSettled ? { generation: before, cloud } : null;
    return cloud;
  }

  const ensure = async <T>(work: Work<T>): Promise<T> => work((await current()) ?? (await open()));
  const ensureAs = async <T>(who: CloudCredentials | null, work: Work<T>): Promise<T> => {
    if (!who) throw await noIdentity(session);
    return ensure(work);
  };

  return {
    ensure,
    async existing(missing, work) {
      const cloud = await current();
      if (cloud) return work(cloud);
      const [state, who] = await Promise.all([session.state(), identity.known()]);
      // Signed-in callers without a state file get the error that tells them to create it.
      if (state === null && who?.mode !== 'oauth') throw missing();
      return ensureAs(who, work);
    },
    async ifAny(work) {
      const cloud = await current();
      if (cloud) return work(cloud);
      return (await session.state()) === null ? null : ensureAs(await identity.known(), work);
    },
  };
}

async function noIdentity(session: Session): Promise<ApiError> {
  const where = hostOf(await session.choose());
  return new ApiError('unauthenticated', `No identity on ${where} yet; opening Studio creates one.`);
}
