// A fetch that sends the current access token on each call, so that a stream reopened hours later has a valid one.
import { ApiError, errorType } from '../../contract/index.js';
import type { AccessTokens } from './access-tokens.js';

/** Retries a rejected request once with a new token. */
export function createAuthorizedFetch(tokens: AccessTokens, fetch: typeof globalThis.fetch): typeof fetch {
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
