// The signed-in user's tokens as stored in the credentials file: when they expire, and how they are renewed and revoked.
import { ApiError, type CloudCredentials } from '../../contract/index.js';
import { audienceParameters, openProvider } from './provider.js';

export type Signed = Extract<CloudCredentials, { mode: 'oauth' }>;

export type Tokens = Pick<Signed, 'accessToken' | 'refreshToken' | 'expiresAt'>;

/** The parts of a token response used here. */
export interface TokenResponse {
  access_token: string;
  refresh_token?: string | undefined;
  expires_in?: number | undefined;
}

/** The lifetime to assume if the issuer gives none. */
const USUAL_SECONDS = 3600;
/** Tokens are renewed this long before they expire, so that they do not expire in transit. */
const MARGIN_MS = 30_000;

/** An issuer that does not rotate refresh tokens sends none; the previous one stays valid. */
export function toTokens(
  answer: TokenResponse,
  now: number,
  formerRefreshToken: string | null = null,
): Tokens {
  const seconds = answer.expires_in ?? USUAL_SECONDS;
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? formerRefreshToken,
    expiresAt: new Date(now + seconds * 1000).toISOString(),
  };
}

export function expiresSoon(expiresAt: string | number, now: number): boolean {
  return toMilliseconds(expiresAt) - now < MARGIN_MS;
}

/**
 * Judging by the file alone: the provider has ended the session, or the token has expired and cannot be
 * renewed.
 */
export function hasEnded({ ended, refreshToken, expiresAt }: Signed, now: number): boolean {
  return ended === true || (refreshToken === null && toMilliseconds(expiresAt) <= now);
}

export function sessionEnded(issuer: string): ApiError {
  return new ApiError('unauthenticated', `Your session at ${issuer} has ended. Run \`svc login\`.`);
}

/** Numbers are in seconds, as in tokens, or milliseconds, as in JavaScript. An invalid time counts as long past. */
function toMilliseconds(time: string | number): number {
  if (typeof time === 'string') return Date.parse(time) || 0;
  return time < 1e11 ? time * 1000 : time;
}

/**
 * Exchanges the refresh token for an access token and usually a new refresh token. Throws `unauthenticated` if the session
 * has ended. Call it with the credentials lock held.
 */
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

/**
 * Ends a session at its identity provider, so that its tokens become useless. False if the provider does not support
 * that. Throws if the request fails.
 */
export async function revokeSession({
  issuer,
  clientId,
  refreshToken,
  accessToken,
}: Signed): Promise<boolean> {
  const { oidc, config, ask } = await openProvider({ issuer, clientId });
  if (!config.serverMetadata().revocation_endpoint) return false;
  await ask(() => oidc.tokenRevocation(config, refreshToken ?? accessToken));
  return true;
}
