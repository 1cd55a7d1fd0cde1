// Signing in to the local cloud, a separate process: with its options, and after a restart.
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { callCli, startCli } from '../cli/support/terminal.js';
import { openHome } from '../sdk/local-cloud/homes.js';
import { makeModelFolder } from '../support/tiny-model.js';
import { openBrowser } from './browser.js';
import { AUDIENCE, startIdentityProvider } from './identity-provider.js';
import { addressIn } from './world.js';

it('the local cloud with an identity provider accepts only who signs in, even after a restart', async () => {
  const [provider, model, home] = await Promise.all([startIdentityProvider(), makeModelFolder(), openHome()]);
  const cwd = await realpath(await mkdtemp(join(tmpdir(), 'svc-project-')));
  onTestFinished(async () => {
    await home.close();
    await provider.close();
    for (const path of [model, cwd]) await rm(path, { recursive: true });
  });
  const svc = (...argv: string[]) => callCli(argv, { cwd, env: home.env });

  const options = ['--base-model', model, '--no-anonymous', '--oauth-issuer', provider.issuer];
  const started = await svc('cloud', 'start', ...options, '--oauth-audience', AUDIENCE);
  expect(started).toMatchObject({ exitCode: 0, stderr: '' });
  const { exitCode, stderr } = await svc('chat', 'Hi');
  expect(exitCode).toBe(4);
  expect(stderr).toContain('This cloud does not accept anonymous identities: run `svc login`.');
  const told = 'svc: Not signed in to local.\nRun "svc login" to sign in.\n';
  expect(await svc('whoami')).toEqual({ exitCode: 4, stdout: '', stderr: told });

  const call = startCli(['login', '--no-browser'], { cwd, env: home.env });
  await openBrowser().open(await addressIn(call));
  expect(await call.done).toMatchObject({ exitCode: 0 });
  const [, org] = /^oauth · (user-\S+) · local\n$/.exec((await svc('whoami')).stdout)!;
  expect((await svc('link', `${org}/web`)).exitCode).toBe(0);

  expect((await svc('cloud', 'stop')).exitCode).toBe(0);
  const listed = await svc('jobs', 'list', '--json');
  expect(listed).toMatchObject({ exitCode: 0, stdout: '{"jobs":[]}\n' });
  expect(listed.stderr).toContain('Started the local cloud at');
  const created = await svc('endpoints', 'create', 'mine', '--base-model', 'x', '--json');
  expect(created.stderr).toContain('This cloud serves the base model');
  // It writes no token to its log.
  expect((await svc('cloud', 'logs')).stdout).not.toMatch(/eyJ/);
});
