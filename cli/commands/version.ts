// svc version: prints only the version, for scripts.
import packageJson from '../../package.json' with { type: 'json' };
import type { CommandModule } from '../command.js';

export const run: CommandModule['run'] = async ({ answer }) => {
  const { version } = packageJson;
  answer({ version }, () => `${version}\n`);
};
