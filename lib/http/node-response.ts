// Requests over a socket carry Node's own response; in-process ones do not.
import type { ServerResponse } from 'node:http';

type FromSocket = Request & { runtime?: { node: { res: ServerResponse } } };

export function nodeResponseOf(request: Request): ServerResponse | undefined {
  return (request as FromSocket).runtime?.node.res;
}
