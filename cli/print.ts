// Writes the output of commands. Names, notes, paths and errors are untrusted, so all text is sanitized here:
// only svc's own colors control the terminal.
import type { Input, Io, Output } from './command.js';
import { toSafeJson, toSafeText, withOwnColors } from './style.js';

/** Text for people, in svc's own colors. */
export function print(output: Output, text: string): void {
  output.write(withOwnColors(text));
}

/** A line without colors, with commands rewritten so that they can be copied. */
export function printLine(output: Output, line: string, env: Io['env']): void {
  output.write(`${inOwnName(toSafeText(line), env)}\n`);
}

export function printJson(output: Output, document: object): void {
  output.write(`${toSafeJson(JSON.stringify(document))}\n`);
}

/** The result of a command: a document for programs, or text for people. */
export function printAnswer(
  { stdout }: Pick<Io, 'stdout'>,
  { json }: Pick<Input, 'json'>,
  document: object,
  text: () => string,
): void {
  if (json) printJson(stdout, document);
  else print(stdout, text());
}

/** How each package manager runs a project's binary, by its user agent. */
const RUNNERS: ReadonlyMap<string | undefined, string> = new Map([
  ['npm', 'npx svc'],
  ['pnpm', 'pnpm exec svc'],
  ['yarn', 'yarn svc'],
  ['bun', 'bunx svc'],
]);

/** How to call svc in commands to copy: when a package manager ran it, the shell may not have a bare `svc`. */
export function ownName({ npm_config_user_agent = '' }: Io['env']): string {
  const [manager] = npm_config_user_agent.split('/');
  return RUNNERS.get(manager) ?? 'svc';
}

/** Rewrites the commands in a message so that they can be copied. Commands are in quotes or backticks. */
export function inOwnName(message: string, env: Io['env']): string {
  return message.replace(/(["`])svc (?=[a-z])/g, `$1${ownName(env)} `);
}
