// Signing in to the local cloud, a separate process: with its options, and after a restart.
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callCli, startCli } from '../cli/support/terminal.js';
import { type Home, openHome } from '../sdk/local-cloud/homes.js';
import { makeModelFolder } from '../support/tiny-model.js';
import { openBrowser } from './browser.js';
import { AUDIENCE, type IdentityProvider, startIdentityProvider } from './identity-provider.js';
import { addressIn } from './world.js';

let provider: IdentityProvider;
let model: string;
let home: Home;
let cwd: string;
beforeAll(async () => {
  [provider, model, home] = await Promise.all([startIdentityProvider(), makeModelFolder(), openHome()]);
  cwd = await realpath(await mkdtemp(join(tmpdir(), 'svc-project-')));
});
afterAll(async () => {
  await home.close();
  await provider.close();
  for (const path of [model, cwd]) await rm(path, { recursive: true });
});

const svc = (...argv: string[]) => callCli(argv, { cwd, env: home.env });

// One cloud, which is started, signed in to, and read the log of.
describe('the local cloud with an identity provider', { shuffle: false }, () => {
  it('refuses anonymous users with --no-anonymous and says svc login', async () => {
    const options = ['--base-model', model, '--no-anonymous', '--oauth-issuer', provider.issuer];
    const started = await svc('cloud', 'start', ...options, '--oauth-audience', AUDIENCE);
    expect(started).toMatchObject({ exitCode: 0, stderr: '' });
    const { exitCode, stderr } = await svc('chat', 'Hi');
    expect(exitCode).toBe(4);
    expect(stderr).toContain('This cloud does not accept anonymous identities: run `svc login`.');
    expect(await svc('whoami')).toMatchObject({
      exitCode: 4,
      stderr: 'svc: Not signed in to local.\nRun "svc login" to sign in.\n',
    });
  });

  it('accepts a signed-in user, even after it is stopped and restarted on demand', async () => {
    const call = startCli(['login', '--no-browser'], { cwd, env: home.env });
    await openBrowser().open(await addressIn(call));
    expect(await call.done).toMatchObject({ exitCode: 0 });
    const [, org] = /^oauth · (user-\S+) · local\n$/.exec((await svc('whoami')).stdout)!;
    expect((await svc('link', `${org}/web`)).exitCode).toBe(0);
    expect((await svc('cloud', 'stop')).exitCode).toBe(0);
    expect(await svc('jobs', 'list', '--json')).toMatchObject({
      exitCode: 0,
      stdout: '{"jobs":[]}\n',
      stderr: expect.stringContaining('Started the local cloud at'),
    });
    expect((await svc('endpoints', 'create', 'mine', '--base-model', 'x', '--json')).stderr).toContain(
      'This cloud serves the base model',
    );
  });

  it('writes no token to its log', async () => {
    const { stdout } = await svc('cloud', 'logs');
    expect(stdout).not.toMatch(/eyJ/);
  });
});
