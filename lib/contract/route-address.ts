// A call's address: a method and a path whose segments may be parameters.
import { ApiError } from './errors.js';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface RouteAddress {
  readonly method: Method;
  /** Segments that start with a colon are parameters. */
  readonly path: `/${string}`;
  /** Creates something and accepts an `Idempotency-Key`, so it can be retried safely. */
  readonly idempotencyKey?: true;
}

/** The parameter names of a path, as a type. */
export type PathParams<Path extends string> = Path extends `${string}/:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | PathParams<`/${Tail}`>
    : Rest
  : never;

/** The path with its parameters filled in and escaped. Throws for values that would lead to another path. */
export function fillPath(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name] ?? '';
    if (/^\.{0,2}$/.test(value))
      throw new ApiError('invalid_value', `"${value}" is not a valid ID or name.`, { param: name });
    return encodeURIComponent(value);
  });
}

/** True if `pathname` has the shape of `path`, whatever its parameters; a trailing slash is ignored. */
export function matchesPath(path: string, pathname: string): boolean {
  const wanted = path.split('/');
  const given = pathname.replace(/(?<=.)\/$/, '').split('/');
  return (
    wanted.length === given.length &&
    wanted.every((part, i) => (part.startsWith(':') ? given[i] !== '' : part === given[i]))
  );
}
