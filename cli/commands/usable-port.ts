// A port that somebody typed and that nobody could call is refused at once.
import { BAD_PORT, isBadPort } from '../../lib/http/index.js';
import { createUsageError } from '../command-error.js';

export function requireUsablePort(name: string, port: number, command: string): number {
  if (!isBadPort(port)) return port;
  throw createUsageError(`${name} cannot be ${port}: ${BAD_PORT}. Choose another port.`, command);
}
