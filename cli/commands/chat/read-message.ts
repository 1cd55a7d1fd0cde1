// The message of a chat that is not interactive: the argument, or stdin.
import { text } from 'node:stream/consumers';
import type { Io } from '../../command.js';
import { createUsageError } from '../../command-error.js';

export async function readMessage(typed: string | undefined, { stdin }: Pick<Io, 'stdin'>): Promise<string> {
  if (typed === undefined && (!stdin || stdin.isTTY))
    throw missing('only an interactive chat starts without one');
  const message = typed ?? (await text(stdin!)).replace(/\r?\n$/, '');
  if (message.trim() !== '') return message;
  throw typed === undefined ? missing('nothing was piped in') : createUsageError('MESSAGE is empty.', 'chat');
}

function missing(why: string): Error {
  return createUsageError(`missing MESSAGE: ${why}.`, 'chat');
}
