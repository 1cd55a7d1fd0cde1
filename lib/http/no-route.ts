// The errors for an unknown URL and for a method that a URL does not support.
import { ApiError } from '../contract/index.js';

/** Only the start of a long path; the caller knows the rest. */
const SHOWN_CHARACTERS = 200;

export function unknownUrl(path: string, hint = ''): ApiError {
  return new ApiError('unknown_url', `There is no ${shorten(path)} here${hint}.`);
}

export function wrongMethod(method: string, path: string, allow: string): ApiError {
  return new ApiError('method_not_allowed', `${shorten(path)} allows ${allow}, not ${shorten(method)}.`, {
    headers: { allow },
  });
}

function shorten(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
