// Lets web pages of an endpoint's own origins call it. Other pages are told nothing, so their browsers refuse.
import type { RouteAddress } from '../../contract/index.js';

/** How long browsers may remember a preflight's answer. */
const MAX_AGE_S = 600;

/** Always allowed, beside what a page asks for: OpenAI's and Anthropic's clients add many of their own. */
const USUAL_HEADERS = ['authorization', 'content-type', 'x-api-key'];

/** What pages may read, beside what every page may. */
const EXPOSED_HEADERS = 'x-request-id, request-id, retry-after';

/** The origin of the page that sent the request, if it is one of these; null otherwise. */
export function findAllowedOrigin({ headers }: Request, origins: readonly string[]): string | null {
  const origin = headers.get('origin');
  return origin !== null && origins.includes(origin) ? origin : null;
}

/** Whether a browser asks if a page may send a request, before it sends it. */
export function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers.has('access-control-request-method');
}

export function answerPreflight(
  { headers }: Request,
  routes: Readonly<Record<string, RouteAddress>>,
): Response {
  const methods = Object.values(routes).map(({ method }) => method);
  const asked = (headers.get('access-control-request-headers') ?? '').toLowerCase().split(',');
  const named = asked.map(name => name.trim()).filter(name => /^[\w!#$%&'*+.^`|~-]+$/.test(name));
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': [...new Set(methods)].join(', '),
      'access-control-allow-headers': [...new Set([...USUAL_HEADERS, ...named])].join(', '),
      'access-control-max-age': `${MAX_AGE_S}`,
    },
  });
}

/** Without `Access-Control-Allow-Credentials`: keys are sent in headers, and cookies mean nothing here. */
export function allowOrigin({ headers }: Response, origin: string): void {
  headers.set('access-control-allow-origin', origin);
  headers.set('access-control-expose-headers', EXPOSED_HEADERS);
  headers.append('vary', 'Origin');
}
