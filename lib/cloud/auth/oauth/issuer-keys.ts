// The identity provider's signing keys, found through its metadata when first needed, and fetched again when a token
// names an unknown one.
import { createRemoteJWKSet, type JWTVerifyGetKey } from 'jose';
import { ApiError } from '../../../contract/index.js';

interface IssuerKeysOptions {
  /** The least time after a fetch before an unknown key may cause another one. */
  cooldownMs?: number | undefined;
}

const COOLDOWN_MS = 30_000;
/** How long keys are trusted, in case one was withdrawn. */
const KEEP_MS = 10 * 60_000;
const ANSWER_MS = 5000;

export function createIssuerKeys(
  issuer: string,
  { cooldownMs = COOLDOWN_MS }: IssuerKeysOptions = {},
): JWTVerifyGetKey {
  let opening: Promise<JWTVerifyGetKey> | null = null;
  const open = async () => {
    const address = await findKeysAddress(issuer);
    return createRemoteJWKSet(address, {
      cooldownDuration: cooldownMs,
      cacheMaxAge: KEEP_MS,
      timeoutDuration: ANSWER_MS,
    });
  };
  return async (header, token) => {
    opening ??= open().catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return (await opening)(header, token);
  };
}

/** Where the issuer's metadata may be, according to OpenID Connect or OAuth 2.0. */
export function metadataAddresses(issuer: string): URL[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/+$/, '');
  return [
    new URL(`${origin}${path}/.well-known/openid-configuration`),
    new URL(`${origin}/.well-known/oauth-authorization-server${path}`),
  ];
}

async function findKeysAddress(issuer: string): Promise<URL> {
  let reason: unknown;
  for (const address of metadataAddresses(issuer)) {
    try {
      return readKeysAddress(await fetchJson(address), issuer);
    } catch (error) {
      reason ??= error;
    }
  }
  throw issuerUnreachable(issuer, reason);
}

async function fetchJson(address: URL): Promise<Record<string, unknown>> {
  const response = await fetch(address, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_MS),
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
