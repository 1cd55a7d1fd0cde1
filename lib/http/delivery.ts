// Detects answers that could not be delivered, so that what was created for nobody can be undone.
import { nodeResponseOf } from './node-response.js';

/**
 * Calls `undo` if the caller leaves before the answer has been handed to the system. What happens on the network after
 * that is unknown.
 */
export function onUndelivered(request: Request, undo: () => void): void {
  const response = nodeResponseOf(request);
  if (request.signal.aborted || response?.destroyed) undo();
  else response?.once('finish', () => response.off('close', undo)).once('close', undo);
}
