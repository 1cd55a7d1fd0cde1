// Creates the verifier for a cloud's identity provider.
import type { IdentityProvider } from '../../../contract/index.js';
import type { Db } from '../../store/db.js';
import type { TokenVerifier } from '../authorize.js';
import { createIssuerKeys } from './issuer-keys.js';
import { createTokenVerifier } from './verify-token.js';

export function openVerifier({ issuer, audience }: IdentityProvider, db: Db, now: () => Date): TokenVerifier {
  return createTokenVerifier({ db, issuer, audience, keys: createIssuerKeys(issuer), now });
}
