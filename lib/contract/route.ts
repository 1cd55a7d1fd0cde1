// What a route is: method, path, the shapes of what goes in and out. Servers mount the tables of routes, clients
// call them, and the OpenAPI document is drawn from them, so that the three cannot drift apart.
import type * as z from 'zod/mini';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export type Schema = z.core.$ZodType;

/** What a schema gives after parsing. */
export type Shape<S extends Schema> = z.output<S>;

export type Answer =
  /** One JSON document. */
  | { readonly kind: 'json'; readonly status: 200 | 201; readonly schema: Schema }
  /** JSON, or Server-Sent Events of `chunk` when the request says `stream: true`. */
  | { readonly kind: 'completion'; readonly schema: Schema; readonly chunk: Schema }
  /** Server-Sent Events, named, resumable by `Last-Event-ID`. */
  | { readonly kind: 'events'; readonly schema: Schema }
  | { readonly kind: 'text' }
  | { readonly kind: 'bytes'; readonly mediaType: string };

export interface Route {
  readonly method: Method;
  /** Segments that begin with a colon are parameters. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly query?: Schema;
  /** A schema means JSON; `bytes` means `application/octet-stream`, with a limit of its own. */
  readonly body?: Schema | 'bytes';
  readonly answer: Answer;
}

export type RouteTable = Readonly<Record<string, Route>>;

/** The names of a path's parameters, as a type. */
export type PathParams<Path extends string> = Path extends `${string}/:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | PathParams<`/${Tail}`>
    : Rest
  : never;

/** Keeps the literal types of a table of routes, which is what clients and servers are typed by. */
export function defineRoutes<const Table extends RouteTable>(table: Table): Table {
  return table;
}

export function json<const S extends Schema>(schema: S): { kind: 'json'; status: 200; schema: S } {
  return { kind: 'json', status: 200, schema };
}

export function created<const S extends Schema>(schema: S): { kind: 'json'; status: 201; schema: S } {
  return { kind: 'json', status: 201, schema };
}

/** The path with its parameters filled in and escaped. */
export function fillPath(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

/** True when `pathname` has the shape of `path`, whatever its parameters. */
export function matchesPath(path: string, pathname: string): boolean {
  const wanted = path.split('/');
  const given = pathname.split('/');
  return (
    wanted.length === given.length &&
    wanted.every((part, i) => (part.startsWith(':') ? given[i] !== '' : part === given[i]))
  );
}
