// Exchanges the refresh token for an access token and usually a new refresh token.
import { ApiError } from '../../contract/index.js';
import { audienceParameters, openProvider } from './provider.js';
import { type Signed, sessionEnded, type Tokens, toTokens } from './tokens.js';

/** Throws `unauthenticated` if the session has ended. Call it with the credentials lock held. */
export async function renewTokens(
  { issuer, clientId, audience, refreshToken }: Signed,
  now: number,
): Promise<Tokens> {
  const { oidc, config, ask } = await openProvider({ issuer, clientId });
  const spend = () => oidc.refreshTokenGrant(config, refreshToken!, audienceParameters(audience));
  const answer = await ask(spend).catch((error: unknown) => {
    throw error instanceof ApiError && error.code === 'unauthenticated' ? sessionEnded(issuer) : error;
  });
  return toTokens(answer, now, refreshToken);
}
