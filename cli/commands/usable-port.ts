// Rejects a port that clients could not connect to.
import { BAD_PORT, isBadPort } from '../../lib/http/index.js';
import { UsageError } from '../command.js';

export function requireUsablePort(name: string, port: number): number {
  if (!isBadPort(port)) return port;
  throw new UsageError(`${name} cannot be ${port}: ${BAD_PORT}. Choose another port.`);
}
