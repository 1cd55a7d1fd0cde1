// A fetch that carries the access token, as it is at each call: a stream that is opened again after hours has a good one.
import { ApiError, errorType } from '../../contract/index.js';
import type { AccessTokens } from './access-tokens.js';

/** After a refusal it is tried once more, with another token. */
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

/** The cloud has answered: its status stands, whatever kept us from getting another token. */
function withStatus(error: unknown, status: number): unknown {
  if (!(error instanceof ApiError)) return error;
  const { code, message } = error;
  return new ApiError({ status, type: errorType(status), code }, message, { cause: error });
}

function withToken(init: RequestInit, token: string): RequestInit {
  // Said here, without the value: fetch would quote it.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new ApiError(
      'credentials_invalid',
      'The access token in credentials.json has characters that no token has.',
    );
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}
