// The way to the cloud from a project's folder: which cloud, who we are there, and which project. Each is found out when
// it is asked for and not before, so that nothing is called or written that nobody needed.
import { type CloudClient, createCloudClient } from '../../client/index.js';
import { patientFetch } from '../../client/node.js';
import { ApiError, type CloudCredentials, type Scope, type StateFile } from '../../contract/index.js';
import {
  changeCredentials,
  isSetAside,
  readCredentials,
  withCredentialsLock,
} from '../credentials/credentials.js';
import { takenBack, withEntry } from '../credentials/credentials-changes.js';
import { noteLocalCloud } from '../credentials/note-cloud.js';
import { withFileLock } from '../files/file-lock.js';
import { type Env, findHome } from '../files/home.js';
import {
  cloudFolder,
  ensureLocalCloud,
  findLocalCloud,
  type LocalCloud,
  wasCloudStopped,
} from '../local-cloud/index.js';
import { createAccessTokens } from './access-tokens.js';
import { adoptProject, projectNameOf } from './adopt-project.js';
import { createAuthorizedFetch } from './authorized-fetch.js';
import { type ChosenCloud, chooseCloud } from './choose-cloud.js';
import { explainForeignProject, ownerUnknown, stateMismatch } from './foreign-project.js';
import { projectSlugOf, readState, statePath, writeState } from './project-state.js';

export interface SessionOptions {
  /** The project's folder. */
  folder: string;
  env: Env;
  /** Told once when the local cloud had to be started. */
  onCloudStart?: ((url: string) => void) | undefined;
  fetch?: typeof fetch | undefined;
}

/** A cloud that answers; `secret` only of the local one. */
export interface ReachedCloud {
  key: string;
  url: string;
  secret: string | null;
}

export interface Session {
  readonly folder: string;
  readonly home: string;
  /** Which cloud is meant. Calls nobody. */
  choose(): Promise<ChosenCloud>;
  /** The cloud, started when it is the local one and does not run, unless it was stopped after we had reached it. */
  reach(): Promise<ReachedCloud>;
  /** Whether the local cloud that we had reached was stopped since: who stopped it is not to find it started again. */
  isCloudStopped(): boolean;
  /** Who we are there; null when nobody yet. Calls nobody. */
  credentials(): Promise<CloudCredentials | null>;
  /** Who we are there; makes an anonymous identity when we are nobody. */
  identify(): Promise<CloudCredentials>;
  /** The project's scope as the state file has it; null without one. Calls nobody. */
  state(): Promise<StateFile | null>;
  /** The project's scope; for anonymous callers without a state file the project is created, and the file written. */
  enter(): Promise<Scope>;
  /** A client with our token and, where one is given, a scope. */
  client(scope?: Scope): Promise<CloudClient>;
  /** A client in the project's scope, by `enter`. */
  project(): Promise<CloudClient>;
}

export function openSession({ folder, env, onCloudStart, fetch = patientFetch }: SessionOptions): Session {
  const home = findHome(env);
  const choose = () => chooseCloud(home, env);
  let hasReachedLocal = false;
  const isCloudStopped = () => hasReachedLocal && wasCloudStopped(cloudFolder(home));

  async function reach(): Promise<ReachedCloud> {
    const { key, url } = await choose();
    if (url !== null) return { key, url, secret: null };
    const found = await reachLocal();
    hasReachedLocal = true;
    await noteLocalCloud(home, found);
    return { key, url: found.url, secret: found.secret };
  }

  async function reachLocal(): Promise<LocalCloud> {
    // The first time one of an older version may have to make room.
    const found = hasReachedLocal ? await findLocalCloud(home) : null;
    if (found) return found;
    if (isCloudStopped())
      throw new ApiError(
        'cloud_unreachable',
        'The local cloud was stopped. "svc cloud start" starts it again, and its jobs go on.',
      );
    return ensureLocalCloud({ home, env, onStart: onCloudStart });
  }

  const credentials = async () => readCredentials(home, (await choose()).key);

  async function identify(): Promise<CloudCredentials> {
    const known = await credentials();
    if (known) return known;
    const cloud = await reach();
    return withCredentialsLock(home, async () => {
      const meanwhile = (await readCredentials(home, cloud.key)) ?? (await takeBack(cloud.key));
      return meanwhile ?? signUp(home, cloud, fetch);
    });
  }

  /** Who we were before somebody signed in; null when nobody. */
  async function takeBack(key: string): Promise<CloudCredentials | null> {
    await changeCredentials(home, file => takenBack(file, key));
    return readCredentials(home, key);
  }

  async function client(scope?: Scope): Promise<CloudClient> {
    const [who, { key, url }] = [await identify(), await reach()];
    if (who.mode === 'anonymous') return createCloudClient({ baseUrl: url, token: who.token, scope, fetch });
    const authorized = createAuthorizedFetch(createAccessTokens(home, key), fetch);
    const cloud = createCloudClient({ baseUrl: url, fetch: authorized });
    if (!scope) return cloud;
    const origin = { path: statePath(folder), orgSlug: scope.orgSlug, askMe: () => cloud.getMe() };
    return createCloudClient({ baseUrl: url, scope, fetch: explainForeignProject(authorized, origin) });
  }

  /** A project that is there is that of somebody who is known: an identity made now would have another. */
  async function requireKnown({ orgSlug }: StateFile): Promise<CloudCredentials> {
    const { key } = await choose();
    if ((await credentials()) || (await isSetAside(home, key))) return identify();
    throw ownerUnknown(statePath(folder), orgSlug, home);
  }

  async function enter(): Promise<Scope> {
    const state = await readState(folder);
    if (state) return scopeOf(state, await requireKnown(state), folder);
    const who = await identify();
    if (who.mode === 'oauth') throw missingState(folder);
    return withFileLock(`${statePath(folder)}.lock`, async () => {
      const meanwhile = await readState(folder);
      if (meanwhile) return scopeOf(meanwhile, who, folder);
      const scope = { orgSlug: who.orgSlug, projectSlug: projectSlugOf(folder) };
      const { project } = await adoptProject(await client(), scope, projectNameOf(folder, scope.projectSlug));
      await writeState(folder, { ...scope, projectId: project.id });
      return scope;
    });
  }

  return {
    folder,
    home,
    choose,
    reach,
    isCloudStopped,
    credentials,
    identify,
    state: () => readState(folder),
    enter,
    client,
    project: async () => client(await enter()),
  };
}

async function signUp(
  home: string,
  { key, url, secret }: ReachedCloud,
  fetch: typeof globalThis.fetch,
): Promise<CloudCredentials> {
  const cloud = createCloudClient({ baseUrl: url, fetch });
  const { token, anonymousId, personalOrg, deploymentDomain, baseModel } = await cloud.signUpAnonymously(
    secret ?? undefined,
  );
  const entry = {
    mode: 'anonymous',
    token,
    anonymousId,
    orgSlug: personalOrg.slug,
    deploymentDomain,
    baseModel,
  } as const;
  await changeCredentials(home, file => withEntry(file, key, entry));
  return entry;
}

/** An anonymous identity has one organisation, so that a file of another is known without asking. */
function scopeOf({ orgSlug, projectSlug }: StateFile, who: CloudCredentials, folder: string): Scope {
  if (who.mode === 'anonymous' && who.orgSlug !== orgSlug)
    throw stateMismatch(statePath(folder), orgSlug, who.orgSlug);
  return { orgSlug, projectSlug };
}

function missingState(folder: string): ApiError {
  return new ApiError(
    'state_missing',
    `${statePath(folder)} is missing: write { "orgSlug", "projectSlug", "projectId" } of your project there, or run \`svc link ORG/PROJECT\`.`,
  );
}
