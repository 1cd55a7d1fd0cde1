// A home that knows who one is at each of these clouds, as the first run or signing in leaves it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CredentialsFile } from '../../lib/contract/index.js';

/** `more` is what else stands in the file. Returns its path. */
export async function writeCredentials(
  home: string,
  clouds: CredentialsFile['clouds'],
  more: object = {},
): Promise<string> {
  const path = join(home, 'credentials.json');
  await mkdir(home, { recursive: true });
  await writeFile(path, JSON.stringify({ clouds, ...more }));
  return path;
}
