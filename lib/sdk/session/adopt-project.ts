// Finds a project in the cloud by its slug, or creates it.
import { basename } from 'node:path';
import type { CloudClient } from '../../client/index.js';
import { ApiError, type Project, type Scope } from '../../contract/index.js';

interface Adopted {
  project: Project;
  isNew: boolean;
}

/** `name` is used only for a new project. */
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
