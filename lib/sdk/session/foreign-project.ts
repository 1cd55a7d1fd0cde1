// Explains why the cloud does not know the project in a state file. The cloud does not tell missing projects from other
// people's; whether we are in the organization does.
import { ApiError, errorType, type Me, readEnvelope } from '../../contract/index.js';
import { credentialsPathIn } from '../credentials/credentials.js';

interface StateOrigin {
  /** The state file. */
  path: string;
  orgSlug: string;
  askMe(): Promise<Me>;
}

export function explainForeignProject(
  fetch: typeof globalThis.fetch,
  { path, orgSlug, askMe }: StateOrigin,
): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.status !== 404 || !(await isProjectMissing(response.clone()))) return response;
    const me = await askMe().catch(() => null);
    if (!me || me.orgs.some(({ slug }) => slug === orgSlug)) return response;
    const { code, message } = stateMismatch(
      path,
      orgSlug,
      me.orgs.map(({ slug }) => slug).join(', ') || 'none',
    );
    // The cloud has answered, so its status is kept.
    throw new ApiError({ status: 404, type: errorType(404), code }, message);
  };
}

export function stateMismatch(path: string, orgSlug: string, ours: string): ApiError {
  return new ApiError(
    'state_mismatch',
    `${path} names organization ${orgSlug}, which you are not a member of (yours: ${ours}). Sign in as a member, or move the file away.`,
  );
}

/** There is a state file, but no identity it could belong to. */
export function ownerUnknown(path: string, orgSlug: string, home: string): ApiError {
  return new ApiError(
    'state_mismatch',
    `${path} names a project of organization ${orgSlug}, but ${credentialsPathIn(home)} has no identity for this cloud. Nothing was changed. Restore that file or run \`svc login\`; to start over with a new project, remove ${path}.`,
  );
}

async function isProjectMissing(response: Response): Promise<boolean> {
  return readEnvelope(await response.json().catch(() => null), 404)?.code === 'project_not_found';
}
