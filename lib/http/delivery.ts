// Whether an answer could be delivered: what was made for nobody can be undone.
import type { ServerResponse } from 'node:http';

/** Requests that came over a socket carry Node's own response; those made in process do not. */
type FromSocket = Request & { runtime?: { node?: { res?: ServerResponse } } };

/**
 * Calls `undo` when the caller is gone, or leaves before the answer to this request has been handed to the system. What
 * becomes of it on the network after that, nobody here can know.
 */
export function onUndelivered(request: Request, undo: () => void): void {
  const response = (request as FromSocket).runtime?.node?.res;
  if (request.signal.aborted || response?.destroyed) undo();
  else response?.once('finish', () => response.off('close', undo)).once('close', undo);
}
