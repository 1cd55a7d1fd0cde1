// Which operation a request calls, by its method and path.
import { ApiError, type RouteAddress } from '../../contract/index.js';
import { unknownUrl, wrongMethod } from '../../http/index.js';

/** The operations at an address, each with its method and path. */
type Offered<Name extends string> = Readonly<Partial<Record<Name, RouteAddress>>>;

interface FoundOperation<Name extends string> {
  operation: Name;
  /** What the path names, such as a model; empty if it names nothing. */
  id: string;
}

/** Only the IDs of models may contain slashes, which some clients escape and others do not. Throws if there is none. */
export function findOperation<Name extends string>(
  offered: Offered<Name>,
  method: string,
  path: string,
): FoundOperation<Name> {
  const given = path.replace(/(?<=.)\/$/, '');
  const routes = Object.entries(offered) as [Name, RouteAddress][];
  const matching = routes.flatMap(([operation, route]) => {
    const match = patternOf(route).exec(given);
    return match ? [{ operation, method: route.method, id: match[1] ?? '' }] : [];
  });
  const found = matching.find(route => route.method === method);
  if (found) return { operation: found.operation, id: decode(found.id) };
  if (matching.length === 0) throw unknownUrl(path || '/', `: ${listPaths(routes)}`);
  throw wrongMethod(method, given, matching.map(route => route.method).join(', '));
}

const patterns = new Map<string, RegExp>();

function patternOf({ path }: RouteAddress): RegExp {
  const source = path.replace(/\./g, '\\.').replace(':model', '(.+)').replace(':id', '([^/]+)');
  const pattern = patterns.get(path) ?? new RegExp(`^${source}$`);
  patterns.set(path, pattern);
  return pattern;
}

function listPaths(routes: readonly [string, RouteAddress][]): string {
  const paths = [...new Set(routes.map(([, { path }]) => path.replace(/:(\w+)/g, '{$1}')))];
  return paths.length === 1 ? `only ${paths[0]} is available` : `there are ${paths.join(', ')}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ApiError('invalid_value', 'The URL is malformed.');
  }
}
