// A project of the cloud by its slug: the one that is there already, or a new one.
import { basename } from 'node:path';
import type { CloudClient } from '../../client/index.js';
import { ApiError, type Project, type Scope } from '../../contract/index.js';

export interface Adopted {
  project: Project;
  /** It was not there before. */
  isNew: boolean;
}

/** `name` is what a new one is called. */
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

/** The folder's name as that of a project; `slug` where nothing of it is left. */
export function projectNameOf(folder: string, slug: string): string {
  const name = basename(folder)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .trim();
  return [...name].slice(0, 100).join('') || slug;
}
