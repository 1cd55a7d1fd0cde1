// `--data`: the body itself, `@FILE` to read one, `@-` for what is piped in.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Io } from '../../command.js';
import { CommandError, createUsageError } from '../../command-error.js';

export async function readBody(data: string, { stdin, cwd }: Pick<Io, 'stdin' | 'cwd'>): Promise<string> {
  if (!data.startsWith('@')) return data;
  const name = data.slice(1);
  if (name === '') throw createUsageError('"--data @" names no file.', 'api');
  if (name === '-') {
    if (!stdin) throw new CommandError('Nothing is piped in.');
    return text(stdin);
  }
  return readFile(resolve(cwd, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${resolve(cwd, name)} cannot be read (${error.code}).`);
  });
}
