// Where a call goes: a method and a path whose segments may be parameters.
import { ApiError } from './errors.js';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Endpoint {
  readonly method: Method;
  /** Segments that begin with a colon are parameters. */
  readonly path: `/${string}`;
  /** It creates something, and takes an `Idempotency-Key`, so that it can be sent again. */
  readonly idempotencyKey?: true;
}

/** The names of a path's parameters, as a type. */
export type PathParams<Path extends string> = Path extends `${string}/:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | PathParams<`/${Tail}`>
    : Rest
  : never;

/** The path with its parameters filled in and escaped. What would lead elsewhere is no name of anything. */
export function fillPath(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name] ?? '';
    if (/^\.{0,2}$/.test(value))
      throw new ApiError('invalid_value', `"${value}" names nothing.`, { param: name });
    return encodeURIComponent(value);
  });
}

/** True when `pathname` has the shape of `path`, whatever its parameters; a slash at its end changes nothing. */
export function matchesPath(path: string, pathname: string): boolean {
  const wanted = path.split('/');
  const given = pathname.replace(/(?<=.)\/$/, '').split('/');
  return (
    wanted.length === given.length &&
    wanted.every((part, i) => (part.startsWith(':') ? given[i] !== '' : part === given[i]))
  );
}
