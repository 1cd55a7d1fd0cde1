// A folder's project: `.svc/state.json` names it and, once written, is never replaced. Finds or creates the
// project in the cloud, or explains why the cloud does not know it.
import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import type { CloudClient } from '../../client/index.js';
import {
  ApiError,
  errorType,
  type Me,
  type Project,
  readEnvelope,
  type Scope,
  type StateFile,
  stateFile,
} from '../../contract/index.js';
import { credentialsPathIn } from '../credentials.js';
import { withFileLock } from '../files/file-lock.js';
import { replaceFile } from '../files/files.js';
import { readJsonFile } from '../files/json-file.js';

export const statePath = (folder: string) => join(folder, '.svc', 'state.json');

/** Null if there is none. */
export async function readState(folder: string): Promise<StateFile | null> {
  return readJsonFile(statePath(folder), stateFile, 'state_invalid');
}

/** A folder that was moved or deleted is not made again. */
export function withStateLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  return withFileLock(`${statePath(folder)}.lock`, work, { within: folder });
}

export async function writeState(folder: string, state: StateFile): Promise<void> {
  await replaceFile(statePath(folder), `${JSON.stringify(state, null, 2)}\n`, undefined, folder);
}

/** The folder's name plus four hex digits of its path's hash, so that each folder gets its own stable slug. */
export function projectSlugOf(folder: string): string {
  const name = basename(folder)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 45)
    .replace(/-+$/, '');
  const digits = createHash('sha256').update(folder).digest('hex').slice(0, 4);
  return `${name || 'project'}-${digits}`;
}

interface Adopted {
  project: Project;
  isNew: boolean;
}

/** Finds a project in the cloud by its slug, or creates it. `name` is used only for a new one. */
export async function adoptProject(
  cloud: CloudClient,
  { orgSlug, projectSlug: slug }: Scope,
  name: string,
): Promise<Adopted> {
  const find = async () =>
    (await cloud.listProjects(orgSlug)).projects.find(project => project.slug === slug);
  const known = await find();
  if (known) return { project: known, isNew: false };
  try {
    return { project: (await cloud.createProject(orgSlug, { name, slug })).project, isNew: true };
  } catch (error) {
    const made = error instanceof ApiError && error.status === 409 ? await find() : undefined;
    if (made) return { project: made, isNew: false };
    throw error;
  }
}

/** The folder's name as a project name, or `slug` if nothing usable is left. */
export function projectNameOf(folder: string, slug: string): string {
  const name = basename(folder)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .trim();
  return [...name].slice(0, 100).join('') || slug;
}

interface StateOrigin {
  /** The state file. */
  path: string;
  orgSlug: string;
  askMe(): Promise<Me>;
}

/**
 * Explains why the cloud does not know the project in a state file. The cloud does not tell missing projects from other
 * people's; whether we are in the organization does.
 */
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
    // The cloud has responded, so its status is kept.
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
