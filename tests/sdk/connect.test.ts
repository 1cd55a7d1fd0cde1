// A program's client for the cloud: which folder's project it is in.
import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { connectCloud } from '../../lib/sdk/index.js';
import { projectSlugOf } from '../../lib/sdk/session/project.js';
import type { FakeCloud } from '../support/fake-cloud.js';
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

it('says that a folder is not there', async () => {
  const missing = join(folder, 'none');
  await expect(connectCloud({ cwd: missing })).rejects.toMatchObject({
    code: 'not_writable',
    message: expect.stringContaining(missing),
  });
});
