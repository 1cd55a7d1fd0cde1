// Spends the refresh token, for an access token and mostly another refresh token.
import { audienceParameters, openProvider } from './provider.js';
import { type Signed, type Tokens, toTokens } from './tokens.js';

/** Throws `unauthenticated` when the session has ended. Call it under the lock of the credentials. */
export async function renewTokens(
  { issuer, clientId, audience, refreshToken }: Signed,
  now: number,
): Promise<Tokens> {
  const { oidc, config, ask } = await openProvider({ issuer, clientId });
  const answer = await ask(() => oidc.refreshTokenGrant(config, refreshToken!, audienceParameters(audience)));
  return toTokens(answer, now, refreshToken);
}
