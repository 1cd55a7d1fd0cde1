// A program's client for the cloud, and a task at one of its endpoints: which folder's project it is in, and where the cloud is.
import { mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { connectCloud, connectTask, defineTask } from '../../lib/index.js';
import { projectSlugOf } from '../../lib/sdk/session/project.js';
import type { FakeCloud } from '../support/fake-cloud.js';
import { sampleDeployment } from '../support/samples.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { openFakeCloud } from './support.js';

const before = process.cwd();
let folder: string;
let cloud: FakeCloud;
beforeEach(async () => {
  folder = realpathSync(temporaryFolder('svc-connect'));
  cloud = await openFakeCloud();
  vi.stubEnv('SVC_HOME', join(folder, 'home'));
  vi.stubEnv('SVC_CLOUD_URL', cloud.url);
});
afterEach(() => {
  process.chdir(before);
  vi.unstubAllEnvs();
});

it('has a project for each folder, however the folder is written', async () => {
  const places = ['one', 'two'].map(name => join(folder, name));
  for (const place of places) {
    mkdirSync(join(place, 'app'), { recursive: true });
    process.chdir(place);
    await connectCloud({ cwd: 'app' });
  }
  const slugs = places.map(place => projectSlugOf(join(place, 'app')));
  expect(cloud.projects.map(({ slug }) => slug)).toEqual(slugs);
  mkdirSync(join(folder, 'three'));
  symlinkSync(join(folder, 'three'), join(folder, 'link'));
  await connectCloud({ cwd: `${join(folder, 'link')}/` });
  expect(cloud.projects.at(-1)!.slug).toBe(projectSlugOf(join(folder, 'three')));
});

describe('a task at an endpoint of the cloud', () => {
  const echo = defineTask({ name: 'echo', input: z.string(), output: z.string() });
  let edge: FakeCloud;
  beforeEach(async () => {
    edge = await openEdge();
  });

  /** From now on, the endpoint is at a port of its own. */
  async function openEdge(): Promise<FakeCloud> {
    const opened = await openFakeCloud();
    const deployment = sampleDeployment({ pathUrl: `${opened.url}/d/demo`, authMode: 'none' });
    for (const { deployments } of [cloud, opened]) deployments.splice(0, 1, deployment);
    return opened;
  }

  async function move(): Promise<void> {
    await openEdge();
    await edge.close();
  }

  it('is found again by its slug after the cloud has moved', async () => {
    const ask = connectTask(echo, { endpoint: 'demo', cwd: folder, tries: 1 });
    expect(await ask('one')).toContain('one');
    await move();
    expect(await ask('two')).toContain('two');
  });

  it('is looked for in the cloud that it was found in, also after a sign-in to another one', async () => {
    const ask = connectTask(echo, { endpoint: 'demo', cwd: folder, tries: 1 });
    expect(await ask('one')).toContain('one');
    const other = await openFakeCloud();
    vi.stubEnv('SVC_CLOUD_URL', other.url);
    await move();
    expect(await ask('two')).toContain('two');
    expect(other.calls).toEqual([]);
  });

  it('is looked for in the cloud of a sign-in after it was not found', async () => {
    vi.stubEnv('SVC_CLOUD_URL', (await openFakeCloud()).url);
    const ask = connectTask(echo, { endpoint: 'demo', cwd: folder, tries: 1 });
    await expect(ask('one')).rejects.toMatchObject({ code: 'deployment_not_found' });
    vi.stubEnv('SVC_CLOUD_URL', cloud.url);
    rmSync(join(folder, '.svc'), { recursive: true });
    expect(await ask('two')).toContain('two');
  });

  it('is not looked for if its URL is given', async () => {
    const ask = connectTask(echo, { endpoint: `${edge.url}/d/demo`, cwd: folder, tries: 1 });
    expect(await ask('one')).toContain('one');
    await move();
    await expect(ask('two')).rejects.toMatchObject({ code: 'request_failed' });
    expect(cloud.calls).toEqual([]);
  });
});

it('says that a folder is not there', async () => {
  const missing = join(folder, 'none');
  await expect(connectCloud({ cwd: missing })).rejects.toMatchObject({
    code: 'not_writable',
    message: expect.stringContaining(missing),
  });
});
