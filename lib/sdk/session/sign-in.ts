// Signing in and out of the cloud that a session is about.
import { createCloudClient } from '../../client/index.js';
import { ApiError, type CloudCredentials, cloudCredentials, findFault } from '../../contract/index.js';
import {
  changeCredentials,
  isSetAside,
  readCredentialsFile,
  withCredentialsLock,
} from '../credentials/credentials.js';
import { signedIn, signedOut } from '../credentials/credentials-changes.js';
import { findLocalCloud } from '../local-cloud/index.js';
import { openProvider, type Provider } from '../oauth/provider.js';
import { revokeSession } from '../oauth/revoke.js';
import { type Signed, type TokenAnswer, toTokens } from '../oauth/tokens.js';
import type { ChosenCloud } from './choose-cloud.js';
import type { Session } from './session.js';

/** How one signs in: by a browser, or by a code. */
export type SignInWay = (provider: Provider, audience: string) => Promise<TokenAnswer>;

export interface SignedIn {
  who: Signed;
  email: string | null;
  /** The organisations that they are in. */
  orgs: string[];
  /** An anonymous identity of this cloud waits until one signs out. */
  isSetAside: boolean;
}

/** Asks the cloud who its identity provider is, and writes down what that gives when the cloud takes it. */
export async function signIn(session: Session, way: SignInWay): Promise<SignedIn> {
  await readCredentialsFile(session.home);
  const { key, url } = await session.reach();
  const { oauth, baseModel, deploymentDomain } = await createCloudClient({ baseUrl: url }).getCloud();
  if (!oauth) throw noProvider(url);
  const { issuer, audience, clientId } = oauth;
  const tokens = toTokens(await way(await openProvider(oauth), audience), Date.now());
  const { email, orgs } = await askMe(url, tokens.accessToken, issuer);
  const who: Signed = {
    mode: 'oauth',
    ...tokens,
    issuer,
    clientId,
    audience,
    deploymentDomain,
    baseModel,
    ...(orgs[0] && { orgSlug: orgs[0].slug }),
  };
  return withCredentialsLock(session.home, async () => {
    await changeCredentials(session.home, file => signedIn(file, key, who));
    return {
      who,
      email,
      orgs: orgs.map(({ slug }) => slug),
      isSetAside: await isSetAside(session.home, key),
    };
  });
}

async function askMe(url: string, token: string, issuer: string) {
  try {
    return await createCloudClient({ baseUrl: url, token }).getMe();
  } catch (cause) {
    if (!(cause instanceof ApiError) || cause.code !== 'unauthenticated') throw cause;
    throw new ApiError(
      'unauthenticated',
      `The cloud at ${url} does not take the token that ${issuer} gave for it. Do its --oauth-issuer and --oauth-audience fit what that provider says in its tokens?`,
      { cause },
    );
  }
}

function noProvider(url: string): ApiError {
  return new ApiError(
    'invalid_value',
    `The cloud at ${url} has no identity provider, so nobody signs in there. It is given one by "svc cloud start --oauth-issuer URL --oauth-audience NAME".`,
  );
}

export interface SignedOut {
  mode: CloudCredentials['mode'] | null;
  /** Why the session may go on at its provider, although nobody here has its tokens any more; null when it has ended. */
  unrevoked: string | null;
}

/**
 * Null when nobody was signed in. An entry that cannot be read is removed, too: that is how one gets rid of it. An
 * anonymous identity is kept as long as its cloud may know it.
 */
export function signOut(session: Session): Promise<SignedOut | null> {
  return withCredentialsLock(session.home, async () => {
    const cloud = await session.choose();
    const { key } = cloud;
    const entry = (await readCredentialsFile(session.home))?.clouds[key];
    if (!entry) return null;
    const known = findFault(cloudCredentials, entry, 'It') === null ? (entry as CloudCredentials) : null;
    if (known?.mode === 'anonymous' && !(await isForgotten(session.home, cloud, known.token)))
      throw nobodySignedIn(key);
    const unrevoked = known?.mode === 'oauth' ? await revoke(known) : null;
    await changeCredentials(session.home, file => signedOut(file, key));
    return { mode: known?.mode ?? null, unrevoked };
  });
}

/** Whether the cloud says that it does not know the token, as after its data was wiped. None is started to be asked. */
async function isForgotten(home: string, cloud: ChosenCloud, token: string): Promise<boolean> {
  const url = cloud.url ?? (await findLocalCloud(home))?.url;
  if (url === undefined) return false;
  return createCloudClient({ baseUrl: url, token })
    .getMe()
    .then(
      () => false,
      error => error instanceof ApiError && error.code === 'unauthenticated',
    );
}

function nobodySignedIn(key: string): ApiError {
  const where = key === 'local' ? 'the local cloud' : key;
  return new ApiError(
    'invalid_value',
    `Nobody is signed in on ${where}: you are anonymous there. The anonymous identity is kept, since nobody could get it back.`,
  );
}

async function revoke(who: Signed): Promise<string | null> {
  try {
    return (await revokeSession(who)) ? null : `The identity provider at ${who.issuer} has no way to end it.`;
  } catch (error) {
    // Nothing is left to try again with.
    if (error instanceof ApiError && error.code === 'issuer_unreachable')
      return `${who.issuer} cannot be reached. You can end it there yourself.`;
    return (error as Error).message;
  }
}
