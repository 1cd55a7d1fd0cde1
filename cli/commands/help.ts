// svc help [COMMAND]: same as --help.
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
