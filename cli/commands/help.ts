// svc help [COMMAND], the same as --help, and svc version.

import packageJson from '../../package.json' with { type: 'json' };
import type { Command, RunCommand } from '../command.js';
import { renderHelp } from '../help.js';
import { inOwnName, print } from '../print.js';

export function helpOn(commands: Command[]): RunCommand {
  return async ({ positionals, screen, io: { stdout, env } }) => {
    print(stdout, inOwnName(renderHelp(positionals, commands, screen.style), env));
  };
}

/** Only the version, for scripts. */
export const showVersion: RunCommand = async ({ answer }) => {
  const { version } = packageJson;
  answer({ version }, () => `${version}\n`);
};
