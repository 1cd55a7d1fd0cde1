// svc completion SHELL: a completion script built from the table of commands.
import type { Command, CommandModule } from '../command.js';
import { exitCode } from '../exit-code.js';
import { print } from '../print.js';
import { bashScript } from './completion/bash.js';
import { fishScript } from './completion/fish.js';
import { toCompletionTree } from './completion/tree.js';
import { zshScript } from './completion/zsh.js';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

export function completionOf(commands: readonly Command[]): CommandModule {
  return {
    async run({ positionals }, { stdout }) {
      print(stdout, SCRIPTS[positionals[0] as keyof typeof SCRIPTS](toCompletionTree(commands)));
      return exitCode.ok;
    },
  };
}
