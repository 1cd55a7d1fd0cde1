// svc help [COMMAND], the same as --help, and svc version.

import packageJson from '../../package.json' with { type: 'json' };
import type { Command, CommandModule } from '../command.js';
import { renderHelp } from '../help.js';
import { inOwnName, print } from '../print.js';

export function helpOn(commands: Command[]): CommandModule {
  return {
    async run({ positionals, screen, io: { stdout, env } }) {
      print(stdout, inOwnName(renderHelp(positionals, commands, screen.style), env));
    },
  };
}

/** Only the version, for scripts. */
export const showVersion: CommandModule['run'] = async ({ answer }) => {
  const { version } = packageJson;
  answer({ version }, () => `${version}\n`);
};
