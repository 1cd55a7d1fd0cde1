// The signed-in user's access token, renewed before it expires and when the cloud rejects it. A refresh token works
// only once, so when many commands run at the same time, one uses it and the others take the result.
import { ApiError, type CloudCredentials, errorType } from '../../contract/index.js';
import { changeCredentials, readCredentials, withCredentialsLock, withEntry } from '../credentials.js';
import { expiresSoon, renewTokens, type Signed, sessionEnded } from '../oauth/tokens.js';

/** Unreachable providers, by credentials location: the error, and how long to wait before asking again. */
const away = new Map<string, { until: number; error: ApiError }>();
const AWAY_MS = 5000;

/** `home` and `key` locate the credentials. */
export function createAccessTokens(home: string, key: string, now = Date.now) {
  const place = `${home}\n${key}`;

  async function read(): Promise<Signed> {
    const entry = requireSigned(await readCredentials(home, key), key);
    if (entry.ended) throw sessionEnded(entry.issuer);
    return entry;
  }

  async function write(entry: Signed): Promise<void> {
    await changeCredentials(home, file => withEntry(file, key, entry));
  }

  /**
   * A token other than the refused one; null if none can be obtained. After waiting for the lock, the outcome may already be
   * there: new tokens, an ended session, or signed out.
   */
  async function renew(refused: string): Promise<string | null> {
    return withCredentialsLock(home, async () => {
      const entry = await read();
      if (entry.accessToken !== refused) return entry.accessToken;
      if (entry.refreshToken === null) return null;
      const last = away.get(place);
      if (last && now() < last.until) throw last.error;
      try {
        const renewed = { ...entry, ...(await renewTokens(entry, now())) };
        await write(renewed);
        return renewed.accessToken;
      } catch (error) {
        if (isCode(error, 'unauthenticated')) await write({ ...entry, ended: true });
        if (isCode(error, 'issuer_unreachable')) away.set(place, { until: now() + AWAY_MS, error });
        throw error;
      }
    });
  }

  return {
    renew,
    /** A token that is valid for a while yet, as far as we know. */
    async get(): Promise<string> {
      const { accessToken, expiresAt } = await read();
      if (!expiresSoon(expiresAt, now())) return accessToken;
      try {
        return (await renew(accessToken)) ?? accessToken;
      } catch (error) {
        // The old token may still work; the cloud decides whether it has expired.
        if (isCode(error, 'issuer_unreachable')) return accessToken;
        throw error;
      }
    },
  };
}

function isCode(error: unknown, code: string): error is ApiError {
  return error instanceof ApiError && error.code === code;
}

function requireSigned(entry: CloudCredentials | null, key: string): Signed {
  if (entry?.mode === 'oauth') return entry;
  throw new ApiError('unauthenticated', `You are no longer signed in to ${key}. Run \`svc login\`.`);
}

/**
 * A fetch that sends the current access token on each call, so that a stream reopened hours later has a valid one. Retries
 * a rejected request once with a new token.
 */
export function createAuthorizedFetch(
  tokens: ReturnType<typeof createAccessTokens>,
  fetch: typeof globalThis.fetch,
): typeof fetch {
  return async (input, init = {}) => {
    const token = await tokens.get();
    const response = await fetch(input, withToken(init, token));
    if (response.status !== 401 || init.body instanceof ReadableStream) return response;
    const renewed = await tokens.renew(token).catch((error: unknown) => {
      throw withStatus(error, response.status);
    });
    if (renewed === null) return response;
    await response.body?.cancel();
    return fetch(input, withToken(init, renewed));
  };
}

/** Keeps the cloud's status, whatever prevented the token renewal. */
function withStatus(error: unknown, status: number): unknown {
  if (!(error instanceof ApiError)) return error;
  const { code, message } = error;
  return new ApiError({ status, type: errorType(status), code }, message, { cause: error });
}

function withToken(init: RequestInit, token: string): RequestInit {
  // Checked here because fetch would quote the value in its error.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new ApiError(
      'credentials_invalid',
      'The access token in credentials.json contains invalid characters.',
    );
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}
