// What a route is: method, path, the shapes of what goes in and out. Servers mount the tables of routes, clients
// call them, and the OpenAPI document is drawn from them, so that the three cannot drift apart.
import type * as z from 'zod/mini';
import type { Endpoint } from './endpoint.js';

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

export interface Route extends Endpoint {
  readonly summary: string;
  readonly query?: Schema;
  /**
   * A schema means JSON; `bytes` means `application/octet-stream`, with a limit of its own. Without it, a body that says
   * something is refused.
   */
  readonly body?: Schema | 'bytes';
  readonly answer: Answer;
  /** The list has a tag: who sends it back and has the latest is answered 304. */
  readonly tagged?: true;
  /** Who may call where not every caller of the API must prove who it is. */
  readonly callers?: 'anyone' | 'secret' | 'anyone_or_secret';
  /** Request headers with a meaning of their own, and what it is. */
  readonly headers?: Readonly<Record<string, string>>;
}

export type RouteTable = Readonly<Record<string, Route>>;

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

/** What a JSON route answers. */
export type AnswerOf<R extends Route> = R['answer'] extends { kind: 'json'; schema: infer S extends Schema }
  ? Shape<S>
  : never;
