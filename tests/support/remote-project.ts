// A folder that is a project of a cloud elsewhere, a home of its own, and that cloud, which remembers who called what.
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type FakeCloud, startFakeCloud } from './fake-cloud.js';
import { sampleAnonymous } from './samples.js';
import { writeCredentials } from './write-credentials.js';

export interface RemoteProject {
  /** Has the two in it, and nothing else. */
  root: string;
  cwd: string;
  /** Not there until somebody needs it. */
  home: string;
  env: { SVC_HOME: string; SVC_CLOUD_URL: string };
  cloud: FakeCloud;
  /** A file, by its path in the project. */
  write(path: string, content: string): Promise<void>;
  /** As after the first run: an identity at this cloud, and a project. */
  link(): Promise<void>;
  close(): Promise<void>;
}

/** Routes that are given are answered by what is given. */
export async function openRemoteProject(
  routes?: Parameters<typeof startFakeCloud>[0],
): Promise<RemoteProject> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'svc-remote-')));
  const [cwd, home] = [join(root, 'project'), join(root, 'home')];
  await mkdir(cwd);
  const cloud = await startFakeCloud(routes);
  const write: RemoteProject['write'] = async (path, content) => {
    const file = join(cwd, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  };
  return {
    root,
    cwd,
    home,
    env: { SVC_HOME: home, SVC_CLOUD_URL: cloud.url },
    cloud,
    write,
    async link() {
      const anna = sampleAnonymous({ token: 'token-of-anna', anonymousId: 'anna', orgSlug: 'org-anna' });
      await writeCredentials(home, { [cloud.url]: anna });
      const state = { orgSlug: 'org-anna', projectSlug: 'shop-1a2b', projectId: 'project-1' };
      await write('.svc/state.json', JSON.stringify(state));
    },
    async close() {
      await cloud.close();
      // A command that was told to stop may still be at its last write, as its process would not be.
      await rm(root, { recursive: true, maxRetries: 10 });
    },
  };
}
