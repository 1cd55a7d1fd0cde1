// Connects a route's schemas with its handler: all input is validated once, here.
import {
  IDEMPOTENCY_KEY_HEADER,
  isForm,
  type PathParams,
  parseIdempotencyKey,
  parseRequest,
  type ResponseShape,
  type Route,
  type RouteTable,
  type Schema,
  type Shape,
} from '../contract/index.js';
import { type BodyOptions, readJson, refuseBody, requireOctets } from './body.js';

type Promised<T> = T | Promise<T>;

type Query<R extends Route> = R['query'] extends Schema ? Shape<R['query']> : Record<never, never>;

type Body<R extends Route> = R['body'] extends Schema
  ? Shape<R['body']>
  : R['body'] extends 'bytes'
    ? ReadableStream<Uint8Array>
    : undefined;

/** A handler's input. */
export interface RouteInput<R extends Route> {
  params: Record<PathParams<R['path']>, string>;
  query: Query<R>;
  body: Body<R>;
  /** The caller's idempotency key, if the route takes one. */
  idempotencyKey: string | null;
  /** For its headers and `signal`, which is aborted when the caller disconnects. */
  request: Request;
}

/** JSON routes return the document or a response, such as 304; other routes a response. */
type RouteOutput<R extends Route> =
  R['response'] extends Extract<ResponseShape, { kind: 'json' }>
    ? Shape<R['response']['schema']> | Response
    : Response;

export type Handler<R extends Route> = (input: RouteInput<R>) => Promised<RouteOutput<R>>;

export type Handlers<Table extends RouteTable> = { readonly [Name in keyof Table]: Handler<Table[Name]> };

// biome-ignore lint/suspicious/noExplicitAny: a handler of any route, once its types have done their work.
export type AnyHandler = (input: any) => Promised<unknown>;

export function toRouteHandler(route: Route, handler: AnyHandler, options: BodyOptions = {}) {
  return async (request: Request, rawParams: Readonly<Record<string, string>>): Promise<Response> => {
    const output = await handler({
      params: decodeParams(rawParams),
      query: route.query
        ? parseRequest(route.query, Object.fromEntries(new URL(request.url).searchParams))
        : {},
      body: await readBody(route, request, options),
      idempotencyKey: route.idempotencyKey
        ? parseIdempotencyKey(request.headers.get(IDEMPOTENCY_KEY_HEADER))
        : null,
      request,
    });
    if (output instanceof Response) return output;
    return Response.json(output, { status: route.response.kind === 'json' ? route.response.status : 200 });
  };
}

async function readBody(route: Route, request: Request, options: BodyOptions): Promise<unknown> {
  if (route.body === undefined) return route.method === 'GET' ? undefined : refuseBody(request, options);
  if (route.body === 'bytes') return requireOctets(request, options);
  if (isForm(route.body)) throw new Error('Forms are read by handlers outside of a table.');
  return parseRequest(route.body, await readJson(request, options));
}

/** h3 has rejected invalid encoding. An escaped slash becomes part of the name, which is safe in a lookup. */
function decodeParams(params: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, text]) => [name, decodeURIComponent(text)]));
}
