// Errors in Anthropic's form.
import { type AnthropicError, type ErrorEnvelope, readEnvelope } from '../../../contract/index.js';

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  405: 'invalid_request_error',
  413: 'request_too_large',
  415: 'invalid_request_error',
  429: 'rate_limit_error',
  503: 'overloaded_error',
};

export function toMessagesError({ message }: ErrorEnvelope['error'], status: number): AnthropicError {
  return { type: 'error', error: { type: TYPES[status] ?? 'api_error', message } };
}

/** The same refusal in Anthropic's form, with the same status and headers. */
export async function toMessagesRefusal(response: Response): Promise<Response> {
  const { status, headers } = response;
  const error = readEnvelope(await response.json(), status)!;
  const kept = new Headers(headers);
  kept.delete('content-length');
  const requestId = headers.get('x-request-id');
  if (requestId) kept.set('request-id', requestId);
  return Response.json(
    { ...toMessagesError(error, status), request_id: requestId },
    { status, headers: kept },
  );
}
