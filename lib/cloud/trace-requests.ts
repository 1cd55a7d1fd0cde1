// A span for each request, until its response starts. It continues the caller's trace.
import { cloudRoutes, edgeRoutes, matchesPath, type RouteTable } from '../contract/index.js';
import { readTraceParent, type Tracer } from '../telemetry/index.js';

type Fetch = (request: Request) => Promise<Response>;

/** An endpoint's slug and the path there; null for the cloud's own API. */
type ReadEdge = (request: Request) => { slug: string; path: string } | null;

/** They come every few seconds, and tell nothing. */
const QUIET: ReadonlySet<string> = new Set([cloudRoutes.getHealth.path, cloudRoutes.getCloud.path]);
/** The project's own API has the paths of endpoints under this one. */
const PROJECT_API = '/openai';

export function traceRequests(tracer: Tracer, readEdge: ReadEdge, fetch: Fetch): Fetch {
  return async request => {
    // It is refused there.
    if (!URL.canParse(request.url)) return fetch(request);
    const { method } = request;
    const { pathname } = new URL(request.url);
    if (QUIET.has(pathname)) return fetch(request);
    const edge = readEdge(request);
    const route = edge ? findRoute(edgeRoutes, method, edge.path) : findOwnRoute(method, pathname);
    const span = tracer.start(route ? `${method} ${route}` : method, {
      kind: 'server',
      parent: readTraceParent(request.headers.get('traceparent')) ?? null,
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'url.path': pathname,
        'svc.endpoint': edge?.slug,
      },
    });
    try {
      const response = await tracer.within(span, () => fetch(request));
      const { status, headers } = response;
      span.set({
        'http.response.status_code': status,
        'svc.request_id': headers.get('x-request-id'),
        ...(status >= 500 && { 'error.type': String(status) }),
      });
      span.end(status >= 500 ? `HTTP ${status}` : null);
      return response;
    } catch (error) {
      span.set({ 'error.type': (error as Error).name });
      span.end((error as Error).message);
      throw error;
    }
  };
}

function findOwnRoute(method: string, pathname: string): string | null {
  const known = findRoute(cloudRoutes, method, pathname);
  if (known !== null || !pathname.startsWith(`${PROJECT_API}/`)) return known;
  const route = findRoute(edgeRoutes, method, pathname.slice(PROJECT_API.length));
  return route && `${PROJECT_API}${route}`;
}

function findRoute(routes: RouteTable, method: string, pathname: string): string | null {
  const found = Object.values(routes).find(
    route => route.method === method && matchesPath(route.path, pathname),
  );
  return found?.path ?? null;
}
