// Signs in to and out of the session's cloud.
import { createCloudClient } from '../../client/index.js';
import { ApiError, type CloudCredentials, cloudCredentials, findFault } from '../../contract/index.js';
import {
  changeCredentials,
  isSetAside,
  readCredentialsFile,
  signedIn,
  signedOut,
  withCredentialsLock,
} from '../credentials.js';
import { findLocalCloud } from '../local-cloud/index.js';
import { openProvider, type Provider } from '../oauth/provider.js';
import { revokeSession, type Signed, type TokenResponse, toTokens } from '../oauth/tokens.js';
import type { ChosenCloud } from './reach-cloud.js';
import type { Session } from './session.js';

/** How to sign in: with a browser or with a device code. */
export type SignInWay = (provider: Provider, audience: string) => Promise<TokenResponse>;

interface SignedIn {
  who: Signed;
  /** The organizations the user is a member of. */
  orgs: string[];
  /** An anonymous identity for this cloud is set aside until the user signs out. */
  isSetAside: boolean;
}

/** Signs in at the cloud's identity provider, and saves the tokens if the cloud accepts them. */
export async function signIn(session: Session, way: SignInWay): Promise<SignedIn> {
  await readCredentialsFile(session.home);
  const { key, url } = await session.reach();
  const { oauth, baseModel, deploymentDomain } = await createCloudClient({ baseUrl: url }).getCloud();
  if (!oauth) throw noProvider(url);
  const { issuer, audience, clientId } = oauth;
  const tokens = toTokens(await way(await openProvider(oauth), audience), Date.now());
  const { orgs } = await askMe(url, tokens.accessToken, issuer);
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
    return { who, orgs: orgs.map(({ slug }) => slug), isSetAside: await isSetAside(session.home, key) };
  });
}

async function askMe(url: string, token: string, issuer: string) {
  try {
    return await createCloudClient({ baseUrl: url, token }).getMe();
  } catch (cause) {
    if (!(cause instanceof ApiError) || cause.code !== 'unauthenticated') throw cause;
    throw new ApiError(
      'unauthenticated',
      `The cloud at ${url} rejected the token from ${issuer}. Check that its --oauth-issuer and --oauth-audience match the provider's tokens.`,
      { cause },
    );
  }
}

function noProvider(url: string): ApiError {
  return new ApiError(
    'invalid_value',
    `The cloud at ${url} has no identity provider, so you cannot sign in. Configure one with "svc cloud start --oauth-issuer URL --oauth-audience NAME".`,
  );
}

interface SignedOut {
  mode: CloudCredentials['mode'] | null;
  /** Why the session may still be active at its provider, though its tokens are deleted here; null if it has ended. */
  unrevoked: string | null;
}

/**
 * Null if nobody was signed in. Also removes an unreadable entry, since signing out is how to get rid of it. An
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

/** Whether the cloud no longer knows the token, as after its data was wiped. Does not start a cloud to ask it. */
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
    `You are not signed in to ${where}. Your anonymous identity there is kept, because it could not be recovered.`,
  );
}

async function revoke(who: Signed): Promise<string | null> {
  try {
    return (await revokeSession(who))
      ? null
      : `The identity provider at ${who.issuer} does not support ending sessions.`;
  } catch (error) {
    // There are no tokens left to retry with.
    if (error instanceof ApiError && error.code === 'issuer_unreachable')
      return `Cannot reach ${who.issuer}. You can end the session there yourself.`;
    return (error as Error).message;
  }
}
