// The environment in which the dashboard's libraries are loaded.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../support/repository-root.js';

it('hides DEV, with which Ink looks for developer tools, and CI, where it draws nothing, and leaves both set', async () => {
  const program = `
    const { runDashboard } = await import('./cli/dashboard/index.ts');
    // Fails without a terminal, but only after loading the libraries.
    await runDashboard({}).catch(() => {});
    const { default: isInCi } = await import('is-in-ci');
    const { default: chalk } = await import('chalk');
    console.log(process.env.DEV, process.env.CI, process.env.FORCE_COLOR, isInCi, chalk.level);
  `;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', program],
    { cwd: repositoryRoot, env: { PATH: process.env.PATH, DEV: 'true', CI: '1' } },
  );
  expect({ stdout, stderr }).toEqual({ stdout: 'true 1 undefined false 1\n', stderr: '' });
});
