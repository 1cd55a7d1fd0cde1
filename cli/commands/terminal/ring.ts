// Rings the terminal when something is done. What is piped or saved gets nothing.
import { bellSequence } from '../../../lib/console/index.js';
import type { Io } from '../../command.js';

export function ring({ stdout, env }: Pick<Io, 'stdout' | 'env'>, text: string): void {
  if (stdout.isTTY === true) stdout.write(bellSequence(text, env));
}
