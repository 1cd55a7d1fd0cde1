// Detects answers that could not be delivered, so that what was created for nobody can be undone.
import type { ServerResponse } from 'node:http';

/** Requests over a socket carry Node's own response; in-process ones do not. */
type FromSocket = Request & { runtime?: { node?: { res?: ServerResponse } } };

/**
 * Calls `undo` if the caller leaves before the answer has been handed to the system. What happens on the network after
 * that is unknown.
 */
export function onUndelivered(request: Request, undo: () => void): void {
  const response = (request as FromSocket).runtime?.node?.res;
  if (request.signal.aborted || response?.destroyed) undo();
  else response?.once('finish', () => response.off('close', undo)).once('close', undo);
}
