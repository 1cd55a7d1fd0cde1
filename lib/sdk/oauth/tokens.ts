// The signed-in user's tokens as stored in the credentials file, and when they expire. Pure.
import { ApiError, type CloudCredentials } from '../../contract/index.js';

export type Signed = Extract<CloudCredentials, { mode: 'oauth' }>;

export type Tokens = Pick<Signed, 'accessToken' | 'refreshToken' | 'expiresAt'>;

/** The parts of a token response used here. */
export interface TokenAnswer {
  access_token: string;
  refresh_token?: string | undefined;
  expires_in?: number | undefined;
}

/** The lifetime to assume if the issuer gives none. */
const USUAL_SECONDS = 3600;
/** Tokens are renewed this long before they expire, so that they do not expire in transit. */
const MARGIN_MS = 30_000;

/** An issuer that does not rotate refresh tokens sends none; the previous one stays valid. */
export function toTokens(answer: TokenAnswer, now: number, formerRefreshToken: string | null = null): Tokens {
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

/** As far as the file tells: the provider has ended the session, or the token has expired and cannot be renewed. */
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
