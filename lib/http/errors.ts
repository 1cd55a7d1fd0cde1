// Errors as responses: ours in their envelope, all others as `internal_error` without details.
import { ApiError } from '../contract/index.js';

/** True for an error that is not a response and belongs in the log. */
export function isUnexpected(error: unknown): boolean {
  return !(error instanceof ApiError) || error.code === 'internal_error';
}

export function errorResponse(error: unknown): Response {
  const known = error instanceof ApiError ? error : internalError(error);
  return Response.json(known.toEnvelope(), { status: known.status, headers: { ...known.headers } });
}

/** The last line of a chunk stream that fails midway. */
export function errorData(error: unknown): string {
  return JSON.stringify((error instanceof ApiError ? error : internalError(error)).toEnvelope());
}

function internalError(cause: unknown): ApiError {
  return new ApiError(
    'internal_error',
    'Something went wrong on our side. Look up the request ID in the log.',
    {
      cause,
    },
  );
}

/** Quotes only the start of a long path; the caller knows the rest. */
const SHOWN_CHARACTERS = 200;

export function unknownUrl(path: string, hint = ''): ApiError {
  return new ApiError('unknown_url', `There is no ${shorten(path)} here${hint}.`);
}

export function wrongMethod(method: string, path: string, allow: string): ApiError {
  return new ApiError('method_not_allowed', `${shorten(path)} allows ${allow}, not ${shorten(method)}.`, {
    headers: { allow },
  });
}

export function shorten(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
