// svc's own client for a project in which the program has run, for what a test asks until something is so: to start a program
// for each look would keep a core busy beside what is waited for.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CloudClient, createCloudClient } from '../../lib/client/index.js';
import type { CloudFile, CredentialsFile, Scope, StateFile } from '../../lib/contract/index.js';

interface Place {
  cwd: string;
  env: { SVC_HOME?: string };
}

/** The anonymous identity's token and the project's scope. */
export async function readAccess({ cwd, env }: Place): Promise<{ token: string; scope: Scope }> {
  const { clouds } = await readJson<CredentialsFile>(join(env.SVC_HOME!, 'credentials.json'));
  const { orgSlug, projectSlug } = await readJson<StateFile>(join(cwd, '.svc', 'state.json'));
  return { token: (clouds.local as unknown as { token: string }).token, scope: { orgSlug, projectSlug } };
}

/** Of its local cloud, which runs. */
export async function openProjectClient(place: Place): Promise<CloudClient> {
  const { url } = await readJson<CloudFile>(join(place.env.SVC_HOME!, 'cloud', 'cloud.json'));
  return createCloudClient({ baseUrl: url, ...(await readAccess(place)) });
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, 'utf8')) as T;
}
