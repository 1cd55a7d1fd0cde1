// Studio's requests in the project's scope in the cloud, and the identity it uses there.
import type { CloudClient } from '../../client/index.js';
import { ApiError, type CloudCredentials, type Identity } from '../../contract/index.js';
import { describeIdentity, hostOf, type Session } from '../../sdk/index.js';

type Work<T> = (cloud: CloudClient) => Promise<T>;

export interface ProjectAccess {
  /** For requests that need a project: creates the identity and the project if missing. */
  ensure<T>(work: Work<T>): Promise<T>;
  /** For things that only exist in a project: throws `missing` without one. Creates nothing; no needless requests. */
  existing<T>(missing: () => ApiError, work: Work<T>): Promise<T>;
  /** For lists: null without a state file. Creates nothing; no needless requests. */
  ifAny<T>(work: Work<T>): Promise<T | null>;
}

/**
 * The three methods differ in whether they create an identity and a project. Requests share one client until
 * a file that it depends on changes, because the client knows which lists are unchanged.
 */
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
  return new ApiError(
    'unauthenticated',
    `No identity on ${where}. Run "svc login", or start Studio again to create an anonymous one if the cloud allows it.`,
  );
}

export interface OwnIdentity {
  /** Creates an anonymous identity if there is none. */
  ensure(): Promise<CloudCredentials>;
  /** Null if there is none and none is being created. Makes no requests. */
  known(): Promise<CloudCredentials | null>;
}

/**
 * The identity this Studio uses in the cloud. Only one route creates it. Requests that arrive meanwhile wait, so that a
 * page's first lists belong to the identity in its header.
 */
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

/** The identity shown in the header. Creates an anonymous one if there is none, unless `isKnown`. Never includes a token. */
export async function readIdentity(
  session: Session,
  identity: OwnIdentity,
  isKnown: boolean,
): Promise<Identity> {
  const who = isKnown ? await identity.known() : await identity.ensure();
  if (!who) throw await noIdentity(session);
  return describeIdentity(session, who);
}

/** Like `readIdentity`, but creates nothing: null if there is no identity yet. Makes no requests. */
export async function peekIdentity(session: Session): Promise<Identity | null> {
  const who = await session.credentials();
  return who && describeIdentity(session, who);
}
