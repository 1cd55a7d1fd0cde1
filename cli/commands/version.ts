// svc version: only the version, for scripts.
import packageJson from '../../package.json' with { type: 'json' };
import { type CommandModule, exitCode } from '../command.js';
import { printAnswer } from '../print.js';

export const run: CommandModule['run'] = async (input, io) => {
  const { version } = packageJson;
  printAnswer(io, input, { version }, () => `${version}\n`);
  return exitCode.ok;
};
