// The environment in which the dashboard's libraries are loaded.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../support/source-tree.js';

it('ignores DEV, which would make Ink look for developer tools, and leaves it set', async () => {
  const program = `
    const { runDashboard } = await import('./cli/dashboard/index.ts');
    // Fails without a terminal, but only after loading the libraries.
    await runDashboard({}).catch(() => {});
    console.log(process.env.DEV);
  `;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', program],
    { cwd: repositoryRoot, env: { PATH: process.env.PATH, DEV: 'true' } },
  );
  expect({ stdout, stderr }).toEqual({ stdout: 'true\n', stderr: '' });
});
