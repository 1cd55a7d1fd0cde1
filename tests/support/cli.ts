// Calls the command line in process and keeps what it printed.
import type { Command, Io } from '../../cli/command.js';
import { main } from '../../cli/main.js';

interface Options {
  env?: Io['env'];
  cwd?: string;
  isTTY?: boolean;
  commands?: Command[];
}

export async function callCli(argv: string[], { env = {}, cwd = '/', isTTY, commands }: Options = {}) {
  const printed = { stdout: '', stderr: '' };
  const createOutput = (name: keyof typeof printed) => ({
    isTTY,
    write: (text: string) => {
      printed[name] += text;
    },
  });
  const io = { stdout: createOutput('stdout'), stderr: createOutput('stderr'), env, cwd };
  const exitCode = await main(argv, io, commands);
  return { exitCode, ...printed };
}
