// Turns a failed or unexpected response into an error.
import { ApiError, errorType, type RouteAddress, readEnvelope } from '../contract/index.js';

/** Headers passed on with the error. */
const ERROR_HEADERS = ['allow', 'retry-after', 'x-should-retry'];

/** The error for an unsuccessful response: its envelope, or the best description without one. */
export async function responseError(response: Response, route: RouteAddress): Promise<ApiError> {
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    await response.body?.cancel();
    const to = response.headers.get('location');
    return unexpectedResponse(
      response,
      route,
      `a redirect${to ? ` to ${to}` : ''}, which svc does not follow`,
    );
  }
  const { status } = response;
  const requestId = response.headers.get('x-request-id');
  const headers = pickHeaders(response.headers);
  const envelope = readEnvelope(await response.json().catch(() => null), status);
  if (!envelope) {
    const message = `${route.method} ${route.path} failed with status ${status} and no error message.`;
    return new ApiError({ status, type: errorType(status), code: 'unexpected_response' }, message, {
      headers,
      requestId,
    });
  }
  const { message, type, code, param } = envelope;
  return new ApiError({ status, type, code }, message, { param, headers, requestId });
}

export function unexpectedResponse(
  response: Response,
  route: RouteAddress,
  what: string,
  cause?: unknown,
): ApiError {
  const message = `${route.method} ${route.path} returned ${what}.`;
  return new ApiError('unexpected_response', message, {
    requestId: response.headers.get('x-request-id'),
    cause,
  });
}

function pickHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    ERROR_HEADERS.flatMap(name => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}
