// `options.json` in a cloud's data folder: the options it was started with. An unreadable file is an error, because it may
// say that an account is required.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../../../lib/sdk/index.js';
import { CommandError } from '../../command-error.js';
import { type LastingOptions, parseLasting } from './lasting-options.js';
import { startOptions } from './start-options.js';

const pathIn = (folder: string) => join(folder, 'options.json');

/** Empty for a cloud that was started without options. */
export async function readOptions(folder: string): Promise<LastingOptions> {
  const path = pathIn(folder);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return '{}';
    throw unreadable(path, `cannot be read (${error.code})`);
  });
  const found = parseLasting(parse(text), startOptions);
  if (found) return found;
  throw unreadable(path, 'does not contain valid options for "svc cloud start"');
}

export async function writeOptions(folder: string, options: LastingOptions): Promise<void> {
  await replaceFile(pathIn(folder), `${JSON.stringify(options, null, 2)}\n`, 0o600);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function unreadable(path: string, what: string): CommandError {
  return new CommandError(`${path} ${what}. Fix it, or start over with "svc cloud start --reset".`);
}
