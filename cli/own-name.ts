// How to call svc in commands shown for copying: when a package manager ran it, the shell may not have a bare `svc`.
import type { Io } from './command.js';

/** How each package manager runs a project's program, by its user agent. */
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

/** Rewrites the commands in a message so that they can be copied. Commands are in quotes or backticks. */
export function inOwnName(message: string, env: Io['env']): string {
  return message.replace(/(["`])svc (?=[a-z])/g, `$1${ownName(env)} `);
}
