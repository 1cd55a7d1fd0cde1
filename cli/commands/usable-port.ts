// Rejects a port that clients could not connect to.
import { BAD_PORT, isBadPort } from '../../lib/http/index.js';
import { createUsageError } from '../command.js';

export function requireUsablePort(name: string, port: number, command: string): number {
  if (!isBadPort(port)) return port;
  throw createUsageError(`${name} cannot be ${port}: ${BAD_PORT}. Choose another port.`, command);
}
