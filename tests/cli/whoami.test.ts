// svc whoami: what stands in the files, and nothing that anybody was asked for.
import { afterEach, expect, it } from 'vitest';
import type { Check } from '../../cli/commands/doctor/check.js';
import { sampleSignedIn } from '../support/samples.js';
import { writeCredentials } from '../support/write-credentials.js';
import { failure, projectOfEach } from './support/project.js';

const project = projectOfEach();
const { svc } = project;
afterEach(() => expect(project.cloud.calls).toEqual([]));

const local = { env: { SVC_CLOUD_URL: '' } };
const hostOf = () => new URL(project.cloud.url).host;

it('svc whoami exits with 4 without credentials, and names svc login where the cloud may know an identity provider', async () => {
  const elsewhere = failure(4, `Not signed in to ${hostOf()}.\nRun "svc start"`);
  expect(await svc('whoami --json')).toMatchObject({ ...elsewhere, stdout: '' });
  const said = 'svc: Not signed in to local.\nRun "svc start" or "svc dev" to create an anonymous identity';
  expect((await svc('whoami', local)).stderr).toBe(`${said}.\n`);
  const provider = { 'oauth-issuer': 'https://id.test', 'oauth-audience': 'a' };
  await project.write('../home/cloud/options.json', JSON.stringify(provider));
  expect((await svc('whoami', local)).stderr).toBe(`${said}. Run "svc login" to sign in.\n`);
});

it.each<[string, object, boolean]>([
  ['that takes none', { 'no-anonymous': true }, false],
  ['behind a proxy', { 'behind-proxy': true }, false],
  ['for other machines', { host: '0.0.0.0', domain: 'cloud.test' }, false],
  ['behind a proxy that takes them', { 'behind-proxy': true, anonymous: true }, true],
  ['on this machine', { host: '[::1]' }, true],
])(
  'svc whoami and svc doctor speak of an anonymous identity only if the cloud creates one: a cloud %s',
  async (_, options, isOffered) => {
    const provider = { 'oauth-issuer': 'https://id.test', 'oauth-audience': 'a' };
    await project.write('../home/cloud/options.json', JSON.stringify({ ...options, ...provider }));
    const offer = 'Run "svc start" or "svc dev" to create an anonymous identity. ';
    expect((await svc('whoami', local)).stderr).toBe(
      `svc: Not signed in to local.\n${isOffered ? offer : ''}Run "svc login" to sign in.\n`,
    );
    const { checks } = JSON.parse((await svc('doctor --json', local)).stdout) as { checks: Check[] };
    expect(checks.find(({ name }) => name === 'credentials')).toMatchObject({
      status: 'ok',
      message: isOffered
        ? 'none yet; the first use creates an anonymous identity'
        : 'none yet; run "svc login" to sign in',
    });
  },
);

it('svc whoami says mode, organization, project and cloud, but for the production cloud', async () => {
  await project.link();
  const stdout = `anonymous · org-anna / shop-1a2b · ${hostOf()}\n`;
  expect(await svc('whoami')).toEqual({ exitCode: 0, stdout, stderr: '' });
  expect(await project.json('whoami')).toEqual({
    mode: 'anonymous',
    orgSlug: 'org-anna',
    projectSlug: 'shop-1a2b',
    cloudHost: hostOf(),
    deploymentDomain: 'd.example.com',
    baseModel: 'svc/tiny',
  });
  const atProduction = async (SVC_PRODUCTION_CLOUD_URL: string) =>
    (await svc('whoami', { env: { SVC_PRODUCTION_CLOUD_URL } })).stdout;
  expect(await atProduction(project.cloud.url)).toBe('anonymous · org-anna / shop-1a2b\n');
  expect(await atProduction('https://cloud.example')).toBe(stdout);
});

it('svc whoami says local for the local cloud, and no project where there is none', async () => {
  await writeCredentials(project.home, { local: sampleSignedIn() });
  expect((await svc('whoami', local)).stdout).toBe('oauth · local\n');
});

it('svc whoami reports a file that cannot be read, and leaves it', async () => {
  await project.write('../home/credentials.json', '{ "token": secret');
  const { exitCode, stderr } = await svc('whoami');
  expect(exitCode).toBe(1);
  expect(stderr).toContain('credentials.json is not valid JSON. Fix the file or move it away.');
  expect(stderr).not.toContain('secret');
});
