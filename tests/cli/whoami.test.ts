// svc whoami: what stands in the files, and nothing that anybody was asked for.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRemoteProject, type RemoteProject } from '../support/remote-project.js';
import { sampleSignedIn } from '../support/samples.js';
import { writeCredentials } from '../support/write-credentials.js';
import { callCli } from './support/terminal.js';

let project: RemoteProject;
beforeEach(async () => {
  project = await openRemoteProject();
});
afterEach(async () => {
  expect(project.cloud.calls).toEqual([]);
  await project.close();
});

const whoami = (...argv: string[]) => callCli(['whoami', ...argv], project);

describe('svc whoami', () => {
  it('exits with 4 when there are no credentials', async () => {
    const { exitCode, stdout, stderr } = await whoami('--json');
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: '' });
    expect(stderr).toContain(`Not signed in to ${new URL(project.cloud.url).host}.\nRun "svc start"`);
  });

  it('names svc login only where the local cloud has an identity provider', async () => {
    const local = () => callCli(['whoami'], { cwd: project.cwd, env: { SVC_HOME: project.home } });
    const said = 'svc: Not signed in to local.\nRun "svc start" or "svc dev" to create an anonymous identity';
    expect((await local()).stderr).toBe(`${said}.\n`);
    await project.write(
      '../home/cloud/options.json',
      '{"oauth-issuer":"https://id.test","oauth-audience":"a"}',
    );
    expect((await local()).stderr).toBe(`${said}. Run "svc login" to sign in.\n`);
  });

  it('says mode, organization, project and cloud', async () => {
    await project.link();
    const { host } = new URL(project.cloud.url);
    expect(await whoami()).toEqual({
      exitCode: 0,
      stdout: `anonymous · org-anna / shop-1a2b · ${host}\n`,
      stderr: '',
    });
    expect(JSON.parse((await whoami('--json')).stdout)).toEqual({
      mode: 'anonymous',
      orgSlug: 'org-anna',
      projectSlug: 'shop-1a2b',
      cloudHost: host,
      deploymentDomain: 'd.example.com',
      baseModel: 'svc/tiny',
    });
  });

  it('leaves out the host of the production cloud', async () => {
    await project.link();
    const { host } = new URL(project.cloud.url);
    const at = (production: string) =>
      callCli(['whoami'], { ...project, env: { ...project.env, SVC_PRODUCTION_CLOUD_URL: production } });
    expect((await at(project.cloud.url)).stdout).toBe('anonymous · org-anna / shop-1a2b\n');
    expect((await at('https://cloud.example')).stdout).toBe(`anonymous · org-anna / shop-1a2b · ${host}\n`);
  });

  it('says local for the local cloud, and no project where there is none', async () => {
    await writeCredentials(project.home, { local: sampleSignedIn() });
    const { stdout } = await callCli(['whoami'], { cwd: project.cwd, env: { SVC_HOME: project.home } });
    expect(stdout).toBe('oauth · local\n');
  });

  it('reports a file that cannot be read, and leaves it', async () => {
    await project.write('../home/credentials.json', '{ "token": secret');
    const { exitCode, stderr } = await whoami();
    expect(exitCode).toBe(1);
    expect(stderr).toContain('credentials.json is not valid JSON. Fix the file or move it away.');
    expect(stderr).not.toContain('secret');
  });
});
