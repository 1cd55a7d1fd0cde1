// The way of a request into the project's scope in the cloud. Which requests may make the project, and which find nothing
// without one, is said by which of the three ways they take.
import type { CloudClient } from '../../client/index.js';
import { ApiError } from '../../contract/index.js';
import { type Session, statePath } from '../../sdk/index.js';

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
  async function enter<T>(work: Work<T>): Promise<T> {
    const cloud = await session.project();
    try {
      return await work(cloud);
    } catch (error) {
      throw await explainMissingProject(error, cloud, session);
    }
  }

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

/** A cloud does not tell projects that are not there from those of others: whether the org is ours does. */
async function explainMissingProject(error: unknown, cloud: CloudClient, session: Session): Promise<unknown> {
  if (!(error instanceof ApiError) || error.code !== 'project_not_found') return error;
  const [state, me] = await Promise.all([session.state(), cloud.getMe().catch(() => null)]);
  if (!state || !me || me.orgs.some(({ slug }) => slug === state.orgSlug)) return error;
  const orgs = me.orgs.map(({ slug }) => slug).join(', ') || 'none';
  return new ApiError(
    'state_mismatch',
    `${statePath(session.folder)} names the organisation ${state.orgSlug}, which you are not in (yours: ${orgs}). It was left as it is: sign in as who wrote it, or move it away.`,
    { cause: error },
  );
}
