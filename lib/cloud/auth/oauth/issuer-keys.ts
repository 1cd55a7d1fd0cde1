// The identity provider's signing keys, found through its metadata when first needed, and fetched again when a token
// names an unknown one.
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { Clock } from '../../../clock/index.js';
import { ApiError } from '../../../contract/index.js';

interface IssuerKeys {
  find: JWTVerifyGetKey;
  fetchedAt: number;
}

/** The least time after a fetch before an unknown key may cause another one. */
const COOLDOWN_MS = 30_000;
/** How long keys are trusted, in case one was withdrawn. */
const KEEP_MS = 10 * 60_000;
const ANSWER_MS = 5000;

export function createIssuerKeys(issuer: string, clock: Clock): JWTVerifyGetKey {
  let address: URL | null = null;
  let keys: IssuerKeys | null = null;
  let fetching: Promise<IssuerKeys> | null = null;

  async function fetchKeys(): Promise<IssuerKeys> {
    address ??= await findKeysAddress(issuer, clock);
    const find = createLocalJWKSet((await fetchJson(address, clock)) as unknown as JSONWebKeySet);
    keys = { find, fetchedAt: clock.elapsed() };
    return keys;
  }

  /** Those who ask meanwhile get the same ones. */
  function refresh(): Promise<IssuerKeys> {
    fetching ??= fetchKeys().finally(() => {
      fetching = null;
    });
    return fetching;
  }

  const isFresh = (known: IssuerKeys, ms: number) => clock.elapsed() < known.fetchedAt + ms;

  return async (header, token) => {
    const known = keys !== null && isFresh(keys, KEEP_MS) ? keys : await refresh();
    try {
      return await known.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || isFresh(keys ?? known, COOLDOWN_MS)) throw error;
      return (await refresh()).find(header, token);
    }
  };
}

/** Where the issuer's metadata may be, according to OpenID Connect or OAuth 2.0. @internal */
export function metadataAddresses(issuer: string): URL[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/+$/, '');
  return [
    new URL(`${origin}${path}/.well-known/openid-configuration`),
    new URL(`${origin}/.well-known/oauth-authorization-server${path}`),
  ];
}

async function findKeysAddress(issuer: string, clock: Clock): Promise<URL> {
  let reason: unknown;
  for (const address of metadataAddresses(issuer)) {
    try {
      return readKeysAddress(await fetchJson(address, clock), issuer);
    } catch (error) {
      reason ??= error;
    }
  }
  throw issuerUnreachable(issuer, reason);
}

async function fetchJson(address: URL, clock: Clock): Promise<Record<string, unknown>> {
  const response = await fetch(address, {
    headers: { accept: 'application/json, application/jwk-set+json' },
    redirect: 'error',
    signal: clock.deadline(ANSWER_MS),
  });
  if (response.ok) return (await response.json()) as Record<string, unknown>;
  await response.body?.cancel();
  throw new Error(`${address} returned status ${response.status}.`);
}

function readKeysAddress({ issuer: named, jwks_uri }: Record<string, unknown>, issuer: string): URL {
  if (withoutSlash(String(named)) !== withoutSlash(issuer))
    throw new Error(`The identity provider at ${issuer} identifies itself as ${named}.`);
  const address = new URL(String(jwks_uri));
  if (address.protocol === 'https:' || address.origin === new URL(issuer).origin) return address;
  throw new Error(`The keys of ${issuer} are not available over https.`);
}

/** Some issuers write their own name with a trailing slash that people leave out. */
export function withoutSlash(issuer: string): string {
  return issuer.replace(/\/+$/, '');
}

export function issuerUnreachable(issuer: string, cause: unknown): ApiError {
  return new ApiError(
    'issuer_unreachable',
    `Could not get the keys of the identity provider at ${issuer}. Try again in a moment.`,
    { cause, headers: { 'retry-after': '1' } },
  );
}
