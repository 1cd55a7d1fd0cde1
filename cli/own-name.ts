// What svc is called by, for commands that are shown to be copied: where a package manager ran it, there is no bare
// `svc` in the shell.
import type { Io } from './command.js';

/** How each package manager runs a program of a project, by what it says of itself. */
const RUNNERS: ReadonlyMap<string | undefined, string> = new Map([
  ['npm', 'npx svc'],
  ['pnpm', 'pnpm exec svc'],
  ['yarn', 'yarn svc'],
  ['bun', 'bunx svc'],
]);

export function ownName({ npm_config_user_agent = '' }: Io['env']): string {
  const [manager] = npm_config_user_agent.split('/');
  return RUNNERS.get(manager) ?? 'svc';
}

/** A message with the commands in it as they can be copied. They stand in quotes or backticks. */
export function inOwnName(message: string, env: Io['env']): string {
  return message.replace(/(["`])svc (?=[a-z])/g, `$1${ownName(env)} `);
}
