// svc help [COMMAND]: same as --help.
import { type Command, type CommandModule, exitCode } from '../command.js';
import { renderHelp } from '../help.js';
import { inOwnName, print } from '../print.js';
import { createStyle } from '../style.js';

export function helpOn(commands: Command[]): CommandModule {
  return {
    async run({ positionals }, { stdout, env }) {
      print(stdout, inOwnName(renderHelp(positionals, commands, createStyle(stdout, env)), env));
      return exitCode.ok;
    },
  };
}
