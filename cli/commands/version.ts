// svc version: only the version, for scripts.
import packageJson from '../../package.json' with { type: 'json' };
import type { CommandModule } from '../command.js';
import { exitCode } from '../exit-code.js';

export const run: CommandModule['run'] = async ({ json }, { stdout }) => {
  const { version } = packageJson;
  stdout.write(`${json ? JSON.stringify({ version }) : version}\n`);
  return exitCode.ok;
};
