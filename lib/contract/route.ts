// A route: method, path, and the shapes of its input and output. Servers mount the route tables, clients call them, and
// the OpenAPI document is generated from them, so the three cannot drift apart.
import type * as z from 'zod/mini';
import type { RouteAddress } from './addresses.js';

export type Schema = z.core.$ZodType;

/** The output type of a schema. */
export type Shape<S extends Schema> = z.output<S>;

export type ResponseShape =
  | { readonly kind: 'json'; readonly status: 200 | 201; readonly schema: Schema }
  /** JSON, or Server-Sent Events of `chunk` if the request sets `stream: true`. */
  | { readonly kind: 'completion'; readonly schema: Schema; readonly chunk: Schema }
  /** Named Server-Sent Events, resumable with `Last-Event-ID`. */
  | { readonly kind: 'events'; readonly schema: Schema }
  | { readonly kind: 'text' }
  | { readonly kind: 'bytes'; readonly mediaType: string };

/** `multipart/form-data` with one file, which has the size limit of uploads, and text fields. */
export interface FormBody {
  readonly file: string;
  readonly fields: Schema;
}

export interface Route extends RouteAddress {
  readonly summary: string;
  readonly query?: Schema;
  /**
   * A schema means JSON; `bytes` means `application/octet-stream`, which has a separate size limit. Without it, any
   * non-empty body is refused. Only handlers outside of a mounted table read forms.
   */
  readonly body?: Schema | FormBody | 'bytes';
  readonly response: ResponseShape;
  /** The list has an ETag: callers that send back the current one get 304. */
  readonly tagged?: true;
  /** Sends only the changes to callers that send back an earlier tag and `A-IM: jobs`. */
  readonly changes?: Schema;
  /** Who may call, if not only signed-in callers. This is for the OpenAPI document; the handler enforces it. */
  readonly callers?: 'anyone' | 'secret' | 'anyone_or_secret';
  /** Request headers with a special meaning, each with its description. */
  readonly headers?: Readonly<Record<string, string>>;
}

export type RouteTable = Readonly<Record<string, Route>>;

/** Keeps a route table's literal types; clients and servers derive their types from it. */
export function defineRoutes<const Table extends RouteTable>(table: Table): Table {
  return table;
}

export function json<const S extends Schema>(schema: S): { kind: 'json'; status: 200; schema: S } {
  return { kind: 'json', status: 200, schema };
}

export function created<const S extends Schema>(schema: S): { kind: 'json'; status: 201; schema: S } {
  return { kind: 'json', status: 201, schema };
}

export function isForm(body: Route['body']): body is FormBody {
  return typeof body === 'object' && 'fields' in body;
}

/** The response of a JSON route. */
export type ResponseOf<R extends Route> = R['response'] extends {
  kind: 'json';
  schema: infer S extends Schema;
}
  ? Shape<S>
  : never;

/** The JSON body of a request, before defaults. */
export type BodyOf<R extends Route> = R['body'] extends Schema ? z.input<R['body']> : never;
