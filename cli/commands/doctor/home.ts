// Where svc keeps what belongs to this user, and whether it can write there.
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Io } from '../../command.js';
import type { Check } from './check.js';

export function findHome({ SVC_HOME }: Io['env']): string {
  return SVC_HOME ? resolve(SVC_HOME) : join(homedir(), '.svc');
}

export async function checkHome(home: string): Promise<Check> {
  const name = 'home';
  try {
    await access(home, constants.W_OK | constants.X_OK);
    return { name, status: 'ok', message: home, hint: null };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { name, status: 'ok', message: `${home} (made at first use)`, hint: null };
    return {
      name,
      status: 'problem',
      message: `${home} cannot be written (${code})`,
      hint: 'Make it yours, or name another folder in SVC_HOME.',
    };
  }
}
