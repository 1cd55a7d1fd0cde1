// A server as a function: `fetch(Request) -> Response`. Provides everything around routes that Studio and the cloud share:
// request IDs, a guard before routing, one error envelope, 404 and 405.
import { randomUUID } from 'node:crypto';
import { H3, type H3Event } from 'h3';
import type { Clock } from '../clock/index.js';
import { ApiError, matchesPath, type Route, type RouteTable } from '../contract/index.js';
import { errorResponse, isUnexpected, unknownUrl, wrongMethod } from './errors.js';
import type { AnyHandler, Handlers, toRouteHandler } from './route-handler.js';

/** A log entry about something unexpected: never a secret or a body. */
export interface LogLine {
  requestId: string;
  method: string;
  path: string;
  error: unknown;
}

interface AppOptions {
  /** Runs before anything else; throws an `ApiError` to refuse. */
  guard?: (request: Request) => void | Promise<void>;
  log: (line: LogLine) => void;
  /** The largest upload in bytes. Default: 2 GiB. */
  uploadLimit?: number;
  clock?: Clock | undefined;
}

const ids = new WeakMap<Request, string>();

/** The ID under which the log and the answer name a request; missing before an app has received it. */
export function requestIdOf(request: Request): string | undefined {
  return ids.get(request);
}

export type Fallback = (request: Request) => Response | Promise<Response>;

export interface App {
  fetch(request: Request): Promise<Response>;
  /** Serves a route table, each route with the handler of the same name. */
  mount<const Table extends RouteTable>(routes: Table, handlers: Handlers<Table>): App;
  /** Handles requests that match no route, such as static files. Default: `unknown_url`. */
  fallback(handler: Fallback): App;
}

export function createApp({ guard, log, uploadLimit, clock }: AppOptions): App {
  const tables: RouteTable[] = [];
  let serveRest: Fallback = request => {
    throw unknownUrl(new URL(request.url).pathname);
  };
  const h3 = new H3({
    silent: true,
    onError: ({ cause, unhandled }, event) => refuse(unhandled ? cause : malformedAddress(), event.req),
  });

  function refuse(error: unknown, request: Request): Response {
    if (isUnexpected(error) && !request.signal.aborted) {
      const path = URL.canParse(request.url) ? new URL(request.url).pathname : '';
      try {
        log({ requestId: ids.get(request) ?? '', method: request.method, path, error });
      } catch {
        // What cannot be logged is answered all the same.
      }
    }
    return errorResponse(error);
  }

  const app: App = {
    async fetch(request) {
      // That of the app that passes it on, if one does.
      const requestId = ids.get(request) ?? randomUUID();
      ids.set(request, requestId);
      try {
        if (!URL.canParse(request.url)) throw malformedAddress();
        await guard?.(request);
        return withRequestId(await h3.fetch(request), requestId);
      } catch (error) {
        return withRequestId(refuse(error, request), requestId);
      }
    },
    mount(routes, handlers) {
      tables.push(routes);
      for (const [name, route] of Object.entries(routes)) {
        const handler = handlers[name as keyof typeof handlers] as AnyHandler;
        let handle: ReturnType<typeof toRouteHandler> | undefined;
        const answer = async ({ req, context }: H3Event) => {
          // Loaded by the first request for a route, so that Studio's page does not wait for schemas.
          handle ??= (await import('./route-handler.js')).toRouteHandler(route, handler, {
            uploadLimit,
            clock,
          });
          return handle(req, context.params ?? {});
        };
        h3.on(route.method, route.path, answer);
        if (hasHead(route)) h3.on('HEAD', route.path, async event => withoutBody(await answer(event)));
      }
      return app;
    },
    fallback(handler) {
      serveRest = handler;
      return app;
    },
  };
  h3.all('/**', event => {
    refuseOtherMethods(tables, event.req.method, event.url.pathname);
    return serveRest(event.req);
  });
  return app;
}

/** For a document. Of a stream or a download, too much would be prepared for nothing. */
function hasHead({ method, response }: Route): boolean {
  return method === 'GET' && response.kind === 'json';
}

async function withoutBody(response: Response): Promise<Response> {
  await response.body?.cancel();
  return new Response(null, response);
}

function refuseOtherMethods(tables: readonly RouteTable[], method: string, pathname: string): void {
  const allowed = tables
    .flatMap(table => Object.values(table))
    .filter(route => matchesPath(route.path, pathname))
    .flatMap(route => (hasHead(route) ? [route.method, 'HEAD'] : [route.method]));
  if (allowed.length === 0) return;
  throw wrongMethod(method, pathname, [...new Set(allowed)].join(', '));
}

/** The URL has invalid percent-encoding, which h3 rejects, or an invalid host. */
function malformedAddress(): ApiError {
  return new ApiError('invalid_value', 'The URL is malformed.');
}

/** Headers of a proxied response are immutable. */
function withRequestId(response: Response, requestId: string): Response {
  try {
    response.headers.set('x-request-id', requestId);
    return response;
  } catch {
    return withRequestId(new Response(response.body, response), requestId);
  }
}
