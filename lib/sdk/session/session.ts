// From a project's folder to the cloud: which cloud, identity and project. Each is resolved only when needed,
// so that nothing is requested or written unnecessarily.
import { type CloudClient, type CloudClientOptions, createCloudClient } from '../../client/index.js';
import { patientFetch } from '../../client/node.js';
import { type Clock, realClock } from '../../clock/index.js';
import {
  ApiError,
  type CloudCredentials,
  type CloudInfo,
  type Identity,
  type Scope,
  type StateFile,
} from '../../contract/index.js';
import { cloudFileIn, stampOf } from '../../system/index.js';
import {
  changeCredentials,
  credentialsPathIn,
  isSetAside,
  noteCloud,
  readCredentials,
  takenBack,
  withCredentialsLock,
  withEntry,
} from '../credentials.js';
import { type Env, findHome } from '../files/files.js';
import { cloudFolder, readCloudFile } from '../local-cloud/index.js';
import { isAlive } from '../processes.js';
import { createAccessTokens, createAuthorizedFetch } from './access-tokens.js';
import {
  adoptProject,
  explainForeignProject,
  ownerUnknown,
  projectNameOf,
  projectSlugOf,
  readState,
  stateMismatch,
  statePath,
  withStateLock,
  writeState,
} from './project.js';
import { type ChosenCloud, createReach, type Reach, type ReachedCloud } from './reach-cloud.js';

export interface SessionOptions {
  /** The project's folder. */
  folder: string;
  env: Env;
  /** Called if the local cloud had to be started, with what people should know of it. */
  onCloudStart?: ((message: string) => void) | undefined;
  /** Uses the local cloud, whichever one the user works with. */
  isLocal?: boolean | undefined;
  /** Stays with the cloud that it used first when the user signs in to another one, as a command and a run do. */
  keepsCloud?: boolean | undefined;
  fetch?: typeof fetch | undefined;
  clock?: Clock | undefined;
}

export interface Session extends Reach {
  readonly folder: string;
  readonly env: Env;
  readonly home: string;
  /** Used for all waiting on the way to the cloud. */
  readonly clock: Clock;
  /** Our identity; null if there is none yet. Makes no requests. */
  credentials(): Promise<CloudCredentials | null>;
  /** Our identity; creates an anonymous one if there is none. */
  ensureIdentity(): Promise<CloudCredentials>;
  /** The cloud's base model, as it says itself if it does. Creates an anonymous identity if there is none. */
  baseModel(): Promise<string>;
  /** The project's scope from the state file; null without one. Makes no requests. */
  state(): Promise<StateFile | null>;
  /** The project's scope. For anonymous callers without a state file, creates the project and writes the file. */
  ensureProject(): Promise<Scope>;
  /** A client without an identity, for what a cloud tells anyone. */
  clientForAnyone(): Promise<CloudClient>;
  /** A client with our token and, if given, a scope. */
  client(scope?: Scope): Promise<CloudClient>;
  /** A client in the project's scope; calls `ensureProject`. */
  projectClient(): Promise<CloudClient>;
  /** Changes when a new client may be needed because the cloud, the identity or the project changed. */
  generation(): Promise<string>;
}

export function openSession({
  folder,
  env,
  fetch = patientFetch,
  clock = realClock,
  ...which
}: SessionOptions): Session {
  const home = findHome(env);
  const { choose, reach, isCloudStopped } = createReach({ ...which, home, env, clock });

  const credentials = async () => readCredentials(home, (await choose()).key);

  async function ensureIdentity(): Promise<CloudCredentials> {
    const known = await credentials();
    if (known) return known;
    const cloud = await reach();
    return withCredentialsLock(home, async () => {
      const meanwhile = (await readCredentials(home, cloud.key)) ?? (await takeBack(cloud.key));
      return meanwhile ?? signUp(home, cloud, { fetch, clock });
    });
  }

  /** Restores the anonymous identity from before the last sign-in; null if there is none. */
  async function takeBack(key: string): Promise<CloudCredentials | null> {
    await changeCredentials(home, file => takenBack(file, key));
    return readCredentials(home, key);
  }

  const clientForAnyone = async () => createCloudClient({ baseUrl: (await reach()).url, fetch, clock });

  async function baseModel(): Promise<string> {
    const about = (await credentials()) && (await askAbout());
    return about ? about.baseModel : (await ensureIdentity()).baseModel;
  }

  /** What another cloud says of itself, if it does. That of the local one is noted when it is reached. */
  async function askAbout(): Promise<CloudInfo | null> {
    const { key, url } = await choose();
    const cloud = await clientForAnyone();
    const about = url === null ? null : await cloud.getCloud().catch(() => null);
    // The home may be read-only.
    if (about) await noteCloud(home, key, about).catch(() => {});
    return about;
  }

  async function client(scope?: Scope): Promise<CloudClient> {
    const [who, { key, url }] = [await ensureIdentity(), await reach()];
    const to = { baseUrl: url, clock };
    if (who.mode === 'anonymous') return createCloudClient({ ...to, token: who.token, scope, fetch });
    const authorized = createAuthorizedFetch(createAccessTokens(home, key), fetch);
    const cloud = createCloudClient({ ...to, fetch: authorized });
    if (!scope) return cloud;
    const origin = { path: statePath(folder), orgSlug: scope.orgSlug, askMe: () => cloud.getMe() };
    return createCloudClient({ ...to, scope, fetch: explainForeignProject(authorized, origin) });
  }

  /** An existing project belongs to an existing identity; a new identity would not have access to it. */
  async function requireKnown({ orgSlug }: StateFile): Promise<CloudCredentials> {
    const { key } = await choose();
    if ((await credentials()) || (await isSetAside(home, key))) return ensureIdentity();
    throw ownerUnknown(statePath(folder), orgSlug, home);
  }

  async function ensureProject(): Promise<Scope> {
    const state = await readState(folder);
    if (state) return scopeOf(state, await requireKnown(state), folder);
    const who = await ensureIdentity();
    if (who.mode === 'oauth') throw missingState(folder);
    return withStateLock(folder, async () => {
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
    env,
    home,
    clock,
    choose,
    reach,
    isCloudStopped,
    credentials,
    ensureIdentity,
    baseModel,
    state: () => readState(folder),
    ensureProject,
    clientForAnyone,
    client,
    projectClient: async () => client(await ensureProject()),
    generation: createGenerations(folder, home),
  };
}

async function signUp(
  home: string,
  { key, url, secret }: ReachedCloud,
  ways: Pick<CloudClientOptions, 'fetch' | 'clock'>,
): Promise<CloudCredentials> {
  const cloud = createCloudClient({ baseUrl: url, ...ways });
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

/** An anonymous identity has only one organization, so a mismatch is known without asking the cloud. */
function scopeOf({ orgSlug, projectSlug }: StateFile, who: CloudCredentials, folder: string): Scope {
  if (who.mode === 'anonymous' && who.orgSlug !== orgSlug)
    throw stateMismatch(statePath(folder), orgSlug, who.orgSlug);
  return { orgSlug, projectSlug };
}

/**
 * Links a folder to a named project, for signed-in users, whose state file is never created automatically. Never replaces an
 * existing state file. Requires an identity.
 */
export async function linkProject(
  session: Session,
  scope: Scope,
): Promise<{ state: StateFile; isNew: boolean }> {
  const path = statePath(session.folder);
  const there = async () => {
    const state = await readState(session.folder);
    return state && { state: requireSame(state, scope, path), isNew: false };
  };
  const linked = await there();
  if (linked) return linked;
  const cloud = await session.client();
  await requireMember(cloud, scope.orgSlug);
  return withStateLock(session.folder, async () => {
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

function missingState(folder: string): ApiError {
  return new ApiError(
    'state_missing',
    `${statePath(folder)} is missing. Create it with your project's { "orgSlug", "projectSlug", "projectId" }, or run \`svc link ORG/PROJECT\`.`,
  );
}

/**
 * Our identity on a cloud, as the API returns it: without its token, and without requests. An anonymous identity has only
 * one organization, so a state file that names another one is not ours.
 */
export async function describeIdentity(session: Session, who: CloudCredentials): Promise<Identity> {
  const [cloud, state] = await Promise.all([session.choose(), session.state()]);
  const orgSlug = who.mode === 'anonymous' ? who.orgSlug : (state?.orgSlug ?? who.orgSlug ?? null);
  return {
    mode: who.mode,
    orgSlug,
    projectSlug: state && state.orgSlug === orgSlug ? state.projectSlug : null,
    cloudHost: cloud.isProduction ? null : hostOf(cloud),
    deploymentDomain: who.deploymentDomain,
    baseModel: who.baseModel,
  };
}

export function hostOf({ key, url }: ChosenCloud): string {
  return url === null ? key : new URL(url).host;
}

/**
 * Tells from file timestamps whether a session's results are still valid: which cloud, identity and project.
 * The string stays the same until one of the files is written or the local cloud's process exits: another
 * program may then use its port, and must not get our token. @internal
 */
export function createGenerations(folder: string, home: string): () => Promise<string> {
  const place = cloudFolder(home);
  const paths = [cloudFileIn(place), credentialsPathIn(home), statePath(folder)];
  let cloud: { stamp: string | null; pid: number } = { stamp: '', pid: 0 };
  return async () => {
    const [stamp, ...others] = await Promise.all(paths.map(stampOf));
    if (stamp !== cloud.stamp) cloud = { stamp: stamp ?? null, pid: (await readCloudFile(place))?.pid ?? 0 };
    return [stamp, ...others, cloud.pid > 0 && isAlive(cloud.pid)].join(' ');
  };
}
