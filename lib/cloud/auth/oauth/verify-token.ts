// Verifies an access token: a JWT that the issuer signed for this cloud and that has not expired.
import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Clock } from '../../../clock/index.js';
import { ApiError, type IdentityProvider } from '../../../contract/index.js';
import type { Db } from '../../store/db.js';
import type { TokenVerifier } from '../authorize.js';
import { findUser } from './find-user.js';
import { createIssuerKeys, issuerUnreachable, withoutSlash } from './issuer-keys.js';

interface VerifierOptions {
  db: Db;
  issuer: string;
  audience: string;
  keys: JWTVerifyGetKey;
  clock: Clock;
}

/** Only signatures that nobody but the issuer can make: no shared secrets, and never unsigned. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

/** The allowed difference between the issuer's clock and ours. */
const CLOCK_SKEW_S = 60;

const TYPES: ReadonlySet<string> = new Set(['jwt', 'at+jwt', 'application/at+jwt']);

const LONGEST_SUBJECT = 255;
/** The database reads a text up to a NUL, and takes all halves of characters for the same. */
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

/** The types of a token's fields are what its issuer made them. */
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

/** Any other error is the issuer's or the network's. */
function isFaultOfToken(error: unknown): boolean {
  return FAULTS_OF_TOKEN.some(fault => error instanceof fault);
}
