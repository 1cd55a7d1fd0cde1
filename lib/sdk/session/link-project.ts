// Links a folder to a named project, for signed-in users, whose state file is never created automatically.
import type { CloudClient } from '../../client/index.js';
import { ApiError, type Scope, type StateFile } from '../../contract/index.js';
import { withFileLock } from '../files/file-lock.js';
import { adoptProject, readState, statePath, writeState } from './project.js';
import type { Session } from './session.js';

interface Linked {
  state: StateFile;
  isNew: boolean;
}

/** Never replaces an existing state file. Requires an identity. */
export async function linkProject(session: Session, scope: Scope): Promise<Linked> {
  const path = statePath(session.folder);
  const there = async () => {
    const state = await readState(session.folder);
    return state && { state: requireSame(state, scope, path), isNew: false };
  };
  const linked = await there();
  if (linked) return linked;
  const cloud = await session.client();
  await requireMember(cloud, scope.orgSlug);
  return withFileLock(`${path}.lock`, async () => {
    const meanwhile = await there();
    if (meanwhile) return meanwhile;
    const { project, isNew } = await adoptProject(cloud, scope, scope.projectSlug);
    const state = { ...scope, projectId: project.id };
    await writeState(session.folder, state);
    return { state, isNew };
  });
}

function requireSame(state: StateFile, wanted: Scope, path: string): StateFile {
  if (state.orgSlug === wanted.orgSlug && state.projectSlug === wanted.projectSlug) return state;
  throw new ApiError(
    'state_mismatch',
    `Already linked to ${state.orgSlug}/${state.projectSlug}. Remove ${path} to relink.`,
  );
}

async function requireMember(cloud: CloudClient, orgSlug: string): Promise<void> {
  const slugs = (await cloud.getMe()).orgs.map(({ slug }) => slug);
  if (slugs.includes(orgSlug)) return;
  const ours = slugs.join(', ') || 'none';
  throw new ApiError(
    'project_not_found',
    `You are not a member of organization ${orgSlug} (yours: ${ours}).`,
  );
}
