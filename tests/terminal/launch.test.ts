// The first launch of the built `svc dev` in an empty home, over a cloud elsewhere: what it asks for and what it writes.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createStudioClient } from '../../lib/client/index.js';
import type { StudioFile } from '../../lib/contract/index.js';
import { type FakeCloud, startFakeCloud } from '../support/fake-cloud.js';
import { openSvc } from './support/open-svc.js';

let root: string;
let cwd: string;
let cloud: FakeCloud;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-launch-'));
  cwd = join(root, 'project');
  await mkdir(cwd);
  cloud = await startFakeCloud();
});
afterEach(async () => {
  await cloud.close();
  await rm(root, { recursive: true, force: true });
});

const env = () => ({ SVC_HOME: join(root, 'home'), SVC_CLOUD_URL: cloud.url });

/** What the page asks for when it opens. */
async function openPage(): Promise<void> {
  const { url, token } = JSON.parse(await readFile(join(cwd, '.svc', 'studio.json'), 'utf8')) as StudioFile;
  const page = createStudioClient({ baseUrl: url, token });
  await Promise.all([page.getIdentity(), page.listDeployments(), page.listJobs(), page.getTrainStatus()]);
}

/** Looks at every view of the dashboard, with the page open beside it, and leaves. */
async function lookAround(identity: string): Promise<void> {
  const screen = openSvc(['dev', '--port', '0'], { cwd, env: env() });
  await screen.shows('1 Overview');
  await openPage();
  await screen.shows(`${identity} · ${new URL(cloud.url).host}`);
  screen.press('4');
  await screen.shows('No endpoints yet');
  screen.press('2');
  await screen.shows('No jobs yet');
  screen.press('3');
  await screen.shows('Base model');
  screen.press('q');
  expect(await screen.exited).toBe(0);
  expect(await readdir(join(cwd, '.svc'))).not.toContain('state.json');
}

it('every view of both faces opens at the cost of one call, which makes the identity; no project is made', async () => {
  await lookAround('anonymous · anon-1');
  expect(cloud.calls).toEqual(['POST /v1/auth/anonymous']);
  expect(await readdir(join(root, 'home'))).toEqual(['credentials.json']);
});

it('nobody is asked at all for who is signed in', async () => {
  const entry = {
    mode: 'oauth',
    accessToken: 'access',
    refreshToken: null,
    expiresAt: '2999-01-01T00:00:00Z',
    issuer: 'https://id.test',
    clientId: 'svc',
    orgSlug: 'acme',
    deploymentDomain: 'd.example.com',
    baseModel: 'svc/tiny-instruct',
  };
  const file = join(root, 'home', 'credentials.json');
  await mkdir(join(root, 'home'));
  await writeFile(file, JSON.stringify({ clouds: { [cloud.url]: entry } }));
  const before = await readFile(file, 'utf8');
  await lookAround('oauth · acme');
  expect(cloud.calls).toEqual([]);
  expect(await readFile(file, 'utf8')).toBe(before);
});
