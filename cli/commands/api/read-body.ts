// `--data`: the body itself, `@FILE` to read a file, `@-` to read stdin. Only valid JSON is sent.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Io } from '../../command.js';
import { CommandError, createUsageError } from '../../command-error.js';

type BodySource = Pick<Io, 'stdin' | 'cwd'>;

/** Returns the text unchanged after checking that it is JSON. */
export async function readBody(data: string, source: BodySource): Promise<string> {
  const body = await readText(data, source);
  try {
    JSON.parse(body);
    return body;
  } catch (error) {
    throw createUsageError(`"--data" is not JSON: ${(error as Error).message}.`, 'api');
  }
}

async function readText(data: string, { stdin, cwd }: BodySource): Promise<string> {
  if (!data.startsWith('@')) return data;
  const name = data.slice(1);
  if (name === '') throw createUsageError('"--data @" needs a file name.', 'api');
  if (name === '-') {
    if (!stdin) throw new CommandError('Nothing was piped in.');
    return text(stdin);
  }
  return readFile(resolve(cwd, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`Cannot read ${resolve(cwd, name)} (${error.code}).`);
  });
}
