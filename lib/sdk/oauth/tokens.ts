// The tokens of who is signed in, as the credentials file has them, and when they are too old. Pure.
import { ApiError, type CloudCredentials } from '../../contract/index.js';

export type Signed = Extract<CloudCredentials, { mode: 'oauth' }>;

export type Tokens = Pick<Signed, 'accessToken' | 'refreshToken' | 'expiresAt'>;

/** What a token endpoint answers, as far as it matters here. */
export interface TokenAnswer {
  access_token: string;
  refresh_token?: string | undefined;
  expires_in?: number | undefined;
}

/** Where an issuer does not say for how long a token is good. */
const USUAL_SECONDS = 3600;
/** A token is renewed so long before its end, so that it does not expire on its way. */
const MARGIN_MS = 30_000;

/** An issuer that does not rotate refresh tokens sends none: the former one stays good. */
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

/** As far as the file tells: its provider gives no more tokens, or the last one is over and nothing brings another. */
export function hasEnded({ ended, refreshToken, expiresAt }: Signed, now: number): boolean {
  return ended === true || (refreshToken === null && toMilliseconds(expiresAt) <= now);
}

export function sessionEnded(issuer: string): ApiError {
  return new ApiError('unauthenticated', `Your session at ${issuer} has ended: run \`svc login\`.`);
}

/** A number is in seconds, as in tokens, or in milliseconds, as in JavaScript. What is no time is long gone. */
function toMilliseconds(time: string | number): number {
  if (typeof time === 'string') return Date.parse(time) || 0;
  return time < 1e11 ? time * 1000 : time;
}
