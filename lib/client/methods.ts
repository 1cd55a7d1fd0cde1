// A client's methods, generated from its route table: first the path parameters, then the body if the route
// has one, then options.
import type {
  BodyOf,
  CloudRoutes,
  EvaluationFilter,
  EvaluationRowFilter,
  KeptRequestFilter,
  ResponseOf,
  Route,
  RouteAddress,
  RowLossRequest,
  Schema,
} from '../contract/index.js';
import type { CallInput } from './transport.js';

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

export interface CreateOptions extends CallOptions {
  /**
   * Lets the request be retried, even by another process, without creating anything twice. Default: a new
   * key.
   */
  idempotencyKey?: string | undefined;
}

/** Names the parameters of methods as in their paths. */
interface Named {
  id: [id: string];
  keyId: [keyId: string];
  requestId: [requestId: string];
  name: [name: string];
}

type Params<Path extends string> = Path extends `${string}/:${infer Name extends keyof Named}/${infer Rest}`
  ? [...Named[Name], ...Params<`/${Rest}`>]
  : Path extends `${string}/:${infer Name extends keyof Named}`
    ? Named[Name]
    : [];

type Body<R extends Route> = R extends { body: Schema } ? [input: BodyOf<R>] : [];

type Options<R extends Route> = R extends { idempotencyKey: true } ? CreateOptions : CallOptions;

type Method<R extends Route> = (
  ...args: [...Params<R['path']>, ...Body<R>, options?: Options<R>]
) => Promise<ResponseOf<R>>;

type Methods<Table> = { [Name in keyof Table]: Table[Name] extends Route ? Method<Table[Name]> : never };

/** The methods of a route table, except those that the client defines itself. */
export type ClientOf<Table, Own> = Omit<Methods<Table>, keyof Own> & Own;

/** Sends a request and reads the response. */
export type Call<Table> = <Name extends keyof Table & string>(
  name: Name,
  input?: CallInput,
) => Promise<Table[Name] extends Route ? ResponseOf<Table[Name]> : never>;

export function createClient<Table, Own extends object>(
  routes: Readonly<Record<keyof Table, RouteAddress>>,
  call: (name: keyof Table & string, input: CallInput) => Promise<unknown>,
  own: Own,
): ClientOf<Table, Own> {
  const methods = Object.entries<RouteAddress>(routes).map(([name, route]) => [
    name,
    (...args: unknown[]) => call(name as keyof Table & string, toInput(route, args)),
  ]);
  return { ...Object.fromEntries(methods), ...own };
}

function toInput({ path, method }: RouteAddress, args: readonly unknown[]): CallInput {
  const names = path.match(/(?<=\/:)\w+/g) ?? [];
  const params = Object.fromEntries(names.map((name, i) => [name, args[i] as string]));
  const rest = args.slice(names.length);
  const json = method === 'POST' || method === 'PATCH' ? { json: rest.shift() } : {};
  return { ...(rest[0] as CreateOptions), ...json, params };
}

/** The methods that both APIs have in the same form. */
export type SharedCall = Call<
  Pick<
    CloudRoutes,
    | 'listJobSettings'
    | 'listJobRows'
    | 'listJobAnswers'
    | 'issueDeploymentKey'
    | 'listKeptRequests'
    | 'listEvaluations'
    | 'listEvaluationRows'
  >
>;

export function sharedMethods(call: SharedCall) {
  return {
    /** Up to 500 jobs. */
    listJobSettings: (ids: readonly string[], options?: CallOptions) =>
      call('listJobSettings', { json: { ids }, ...options }),
    /** Worst first. */
    listJobRows: (id: string, request: RowLossRequest = {}, options?: CallOptions) =>
      call('listJobRows', {
        params: { id },
        query: { ...request, rising: request.rising || undefined },
        ...options,
      }),
    /** Of the last step, or of the last kept one up to this. */
    listJobAnswers: (id: string, { step, ...options }: CallOptions & { step?: number | undefined } = {}) =>
      call('listJobAnswers', { params: { id }, query: { step }, ...options }),
    issueDeploymentKey: (id: string, label: string, options?: CreateOptions) =>
      call('issueDeploymentKey', { params: { id }, json: { label }, ...options }),
    /** Newest first. */
    listKeptRequests: (id: string, filter: KeptRequestFilter = {}, options?: CallOptions) =>
      call('listKeptRequests', { params: { id }, query: { ...filter }, ...options }),
    /** Newest first. */
    listEvaluations: (filter: EvaluationFilter = {}, options?: CallOptions) =>
      call('listEvaluations', { query: { ...filter }, ...options }),
    /** Worst first. */
    listEvaluationRows: (id: string, filter: EvaluationRowFilter = {}, options?: CallOptions) =>
      call('listEvaluationRows', {
        params: { id },
        query: { ...filter, changed: filter.changed || undefined },
        ...options,
      }),
  };
}
