// Which operation a request calls, by its method and path.
import { ApiError, type RouteAddress } from '../../contract/index.js';
import { unknownUrl, wrongMethod } from '../../http/index.js';

/** The operations at an address, each with its method and path. A path may end with a model's ID. */
type Offered<Name extends string> = Readonly<Partial<Record<Name, RouteAddress>>>;

interface FoundOperation<Name extends string> {
  operation: Name;
  /** The model in the path. */
  id: string;
}

const PARAMETER = '/:id';

/** A model's ID may contain slashes, which some clients escape and others do not. Throws if there is none. */
export function findOperation<Name extends string>(
  offered: Offered<Name>,
  method: string,
  path: string,
): FoundOperation<Name> {
  const given = path.replace(/(?<=.)\/$/, '');
  const routes = Object.entries(offered) as [Name, RouteAddress][];
  const matching = routes.filter(([, route]) => idIn(route, given) !== null);
  const found = matching.find(([, route]) => route.method === method);
  if (found) return { operation: found[0], id: decode(idIn(found[1], given)!) };
  if (matching.length === 0) throw unknownUrl(path || '/', `: ${listPaths(routes)}`);
  throw wrongMethod(method, given, matching.map(([, route]) => route.method).join(', '));
}

/** What the path has in place of the route's parameter; null if it is another route's. */
function idIn({ path }: RouteAddress, given: string): string | null {
  if (!path.endsWith(PARAMETER)) return path === given ? '' : null;
  const start = path.slice(0, 1 - PARAMETER.length);
  return given.startsWith(start) && given.length > start.length ? given.slice(start.length) : null;
}

function listPaths(routes: readonly [string, RouteAddress][]): string {
  const paths = [...new Set(routes.map(([, { path }]) => path.replace(PARAMETER, '/{model}')))];
  return paths.length === 1 ? `only ${paths[0]} is available` : `there are ${paths.join(', ')}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ApiError('invalid_value', 'The URL is malformed.');
  }
}
