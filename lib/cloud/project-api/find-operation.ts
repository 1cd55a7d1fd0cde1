// Finds the operation for a request to a project's API. Only the IDs of models may contain slashes, which some clients
// escape and others do not.
import { ApiError, openAiRoutes, type Route } from '../../contract/index.js';
import { unknownUrl, wrongMethod } from '../../http/index.js';

export type Operation = keyof typeof openAiRoutes;

interface FoundOperation {
  operation: Operation;
  /** What the path names, such as a model; empty if it names nothing. */
  id: string;
}

const patterns = Object.entries<Route>(openAiRoutes).map(([operation, { method, path }]) => ({
  operation: operation as Operation,
  method,
  pattern: new RegExp(`^${path.replace(/\./g, '\\.').replace(':model', '(.+)').replace(':id', '([^/]+)')}$`),
}));

/** Throws for an unknown path, and for a method that the path does not allow. */
export function findOperation(request: Request): FoundOperation {
  const { pathname } = new URL(request.url);
  const given = pathname.replace(/(?<=.)\/$/, '');
  const matching = patterns.flatMap(({ operation, method, pattern }) => {
    const match = pattern.exec(given);
    return match ? [{ operation, method, id: match[1] ?? '' }] : [];
  });
  const found = matching.find(({ method }) => method === request.method);
  if (found) return { ...found, id: decode(found.id) };
  if (matching.length === 0) throw unknownUrl(given, `: there are ${listPaths()}`);
  throw wrongMethod(request.method, given, matching.map(({ method }) => method).join(', '));
}

function listPaths(): string {
  const paths = Object.values<Route>(openAiRoutes).map(({ path }) => path.replace(/:(\w+)/g, '{$1}'));
  return [...new Set(paths)].join(', ');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ApiError('invalid_value', 'The URL is malformed.');
  }
}
