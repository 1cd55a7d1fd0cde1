// A project's folder and a home of its own, linked to the fake cloud or not.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { FakeCloud } from '../../support/fake-cloud.js';

export interface ProjectFolder {
  cwd: string;
  home: string;
  env: Record<string, string>;
  write(path: string, content: string): Promise<void>;
  /** As after the first run: an identity at this cloud, and a project. */
  link(): Promise<void>;
  remove(): Promise<void>;
}

export async function createProjectFolder(cloud: Pick<FakeCloud, 'url'>): Promise<ProjectFolder> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'svc-cli-')));
  const [cwd, home] = [join(root, 'project'), join(root, 'home')];
  await mkdir(cwd);
  const writeIn = async (folder: string, path: string, content: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  };
  return {
    cwd,
    home,
    env: { SVC_HOME: home, SVC_CLOUD_URL: cloud.url },
    write: (path, content) => writeIn(cwd, path, content),
    async link() {
      const who = {
        mode: 'anonymous',
        token: 'token-of-anna',
        anonymousId: 'anna',
        orgSlug: 'org-anna',
        deploymentDomain: 'd.example.com',
        baseModel: 'svc/tiny',
      };
      await writeIn(home, 'credentials.json', JSON.stringify({ clouds: { [cloud.url]: who } }));
      const state = { orgSlug: 'org-anna', projectSlug: 'shop-1a2b', projectId: 'project-1' };
      await writeIn(cwd, '.svc/state.json', JSON.stringify(state));
    },
    // A command that was told to stop may still be at its last write, as its process would not be.
    remove: () => rm(root, { recursive: true, maxRetries: 10 }),
  };
}
