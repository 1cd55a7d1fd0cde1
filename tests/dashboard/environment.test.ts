// What the dashboard's libraries find in the environment when they are loaded.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../support/source-tree.js';

it('looks for no developer tools where DEV is set, which it leaves as it was', async () => {
  const program = `
    const { runDashboard } = await import('./cli/dashboard/index.ts');
    // Without a terminal it cannot run: its libraries are loaded by then.
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
