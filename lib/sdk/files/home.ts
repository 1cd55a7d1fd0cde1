// Where svc keeps per-user data.
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

export type Env = Readonly<Record<string, string | undefined>>;

/** `SVC_HOME`, or `.svc` in the home folder. */
export function findHome({ SVC_HOME }: Env): string {
  return SVC_HOME ? resolve(SVC_HOME) : join(homedir(), '.svc');
}
