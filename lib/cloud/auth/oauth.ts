// Users of an identity provider: verifies access tokens, which are unexpired JWTs that the issuer signed for this cloud.
import {
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import type { Clock } from '../../clock/index.js';
import { ApiError, type IdentityProvider } from '../../contract/index.js';
import type { Db } from '../store/db.js';
import type { TokenVerifier } from './authorize.js';
import { findUser } from './identities.js';

interface VerifierOptions {
  db: Db;
  issuer: string;
  audience: string;
  keys: JWTVerifyGetKey;
  clock: Clock;
}

/** Only asymmetric signatures: no shared secrets, and never unsigned. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** The allowed difference between the issuer's clock and ours. */
const CLOCK_SKEW_S = 60;

const TYPES: ReadonlySet<string> = new Set(['jwt', 'at+jwt', 'application/at+jwt']);

const LONGEST_SUBJECT = 255;
/** The database cuts text at a NUL and treats all lone surrogates as equal. */
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u;

export function openVerifier({ issuer, audience }: IdentityProvider, db: Db, clock: Clock): TokenVerifier {
  return createTokenVerifier({ db, issuer, audience, keys: createIssuerKeys(issuer, clock), clock });
}

/** @internal */
export function createTokenVerifier({ db, issuer, audience, keys, clock }: VerifierOptions): TokenVerifier {
  async function readClaims(token: string): Promise<JWTPayload | null> {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        issuer: [withoutSlash(issuer), `${withoutSlash(issuer)}/`],
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_SKEW_S,
        requiredClaims: ['sub', 'exp'],
        currentDate: new Date(clock.now()),
      });
      return hasType(protectedHeader) ? payload : null;
    } catch (error) {
      if (isFaultOfToken(error)) return null;
      throw error instanceof ApiError ? error : issuerUnreachable(issuer, error);
    }
  }

  return {
    async verify(token) {
      const { sub: subject, email, email_verified } = (await readClaims(token)) ?? {};
      if (!isSubject(subject)) return null;
      const isKnown = typeof email === 'string' && email_verified !== false;
      // It is the same issuer with or without the trailing slash.
      const user = { issuer: withoutSlash(issuer), subject, email: isKnown ? email : null };
      return findUser(db, user, new Date(clock.now()));
    },
  };
}

/** The issuer controls the types of the token's fields, so none can be assumed. */
function hasType({ typ = 'jwt' }: Record<string, unknown>): boolean {
  return typeof typ === 'string' && TYPES.has(typ.toLowerCase());
}

function isSubject(subject: unknown): subject is string {
  if (typeof subject !== 'string' || subject === '' || subject.length > LONGEST_SUBJECT) return false;
  return !UNSTORABLE.test(subject);
}

const FAULTS_OF_TOKEN = [
  errors.JWTExpired,
  errors.JWTClaimValidationFailed,
  errors.JWTInvalid,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
  errors.JWKSNoMatchingKey,
  errors.JWKSMultipleMatchingKeys,
];

/** Any other error comes from the issuer or the network. */
function isFaultOfToken(error: unknown): boolean {
  return FAULTS_OF_TOKEN.some(fault => error instanceof fault);
}

interface IssuerKeys {
  find: JWTVerifyGetKey;
  fetchedAt: number;
}

/** The minimum time after a fetch before an unknown key may trigger another one. */
const COOLDOWN_MS = 30_000;
/** How long to trust keys before fetching them again, in case one was revoked. */
const KEEP_MS = 10 * 60_000;
const ANSWER_MS = 5000;

/**
 * The identity provider's signing keys. Discovered through its metadata on first use, and fetched again when a token names
 * an unknown key. @internal
 */
export function createIssuerKeys(issuer: string, clock: Clock): JWTVerifyGetKey {
  let address: URL | null = null;
  let keys: IssuerKeys | null = null;
  let fetching: Promise<IssuerKeys> | null = null;

  async function fetchKeys(): Promise<IssuerKeys> {
    address ??= await findKeysAddress(issuer, clock);
    try {
      const find = createLocalJWKSet((await fetchJson(address, clock)) as unknown as JSONWebKeySet);
      keys = { find, fetchedAt: clock.elapsed() };
      return keys;
    } catch (error) {
      // The provider may have moved them.
      address = null;
      throw error;
    }
  }

  /** Concurrent callers share one fetch. */
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

/** Possible locations of the issuer's metadata, per OpenID Connect and OAuth 2.0. @internal */
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

/** Some issuers write their name with a trailing slash that people leave out. */
function withoutSlash(issuer: string): string {
  return issuer.replace(/\/+$/, '');
}

function issuerUnreachable(issuer: string, cause: unknown): ApiError {
  return new ApiError(
    'issuer_unreachable',
    `Could not get the keys of the identity provider at ${issuer}. Try again in a moment.`,
    { cause, headers: { 'retry-after': '1' } },
  );
}
