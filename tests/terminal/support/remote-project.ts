// A folder that is a project of a cloud elsewhere, and a home that knows who one is there.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface RemoteProject {
  cwd: string;
  env: { SVC_HOME: string; SVC_CLOUD_URL: string };
}

export async function writeRemoteProject(root: string, cloudUrl: string): Promise<RemoteProject> {
  const cwd = join(root, 'project');
  const home = join(root, 'home');
  const entry = {
    mode: 'anonymous',
    token: 'known',
    anonymousId: 'a',
    orgSlug: 'acme',
    deploymentDomain: 'd.example.com',
    baseModel: 'svc/tiny-instruct',
  };
  const state = { orgSlug: 'acme', projectSlug: 'web', projectId: 'p-0' };
  await mkdir(join(cwd, '.svc'), { recursive: true });
  await mkdir(home);
  await writeFile(join(home, 'credentials.json'), JSON.stringify({ clouds: { [cloudUrl]: entry } }));
  await writeFile(join(cwd, '.svc', 'state.json'), JSON.stringify(state));
  return { cwd, env: { SVC_HOME: home, SVC_CLOUD_URL: cloudUrl } };
}
