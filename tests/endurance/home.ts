// A home of its own for a long run of the built program: a project, a base model of a few thousand weights so that a
// training takes seconds, and what is known about the cloud and the Studio that run there.
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CloudFile, Scope, StudioFile } from '../../lib/contract/index.js';
import { isAlive } from '../../lib/sdk/processes.js';
import { findFreePort } from '../support/free-port.js';
import { type Ended, type ProgramOptions, type RunningProgram, startProgram } from '../support/program.js';
import { readAccess } from '../support/project-client.js';
import { makeModelFolder } from '../support/tiny-model.js';

export interface Home {
  place: ProgramOptions;
  folder: string;
  /** Where the cloud keeps its data. */
  data: string;
  svc(...args: string[]): Promise<Ended>;
  start(...args: string[]): RunningProgram;
  /** Null while no cloud runs. */
  cloud(): Promise<CloudFile | null>;
  /** Null while no Studio runs. */
  studio(): Promise<StudioFile | null>;
  /** The anonymous identity's token and the project's scope. */
  access(): Promise<{ token: string; scope: Scope }>;
  /** Starts the cloud, as often as it takes. */
  wake(): Promise<CloudFile>;
  end(): Promise<void>;
}

interface HomeOptions {
  /** The folder to make it in, such as a small disk. */
  within?: string | undefined;
  /** Further ones of `svc cloud start`. */
  cloudOptions?: readonly string[];
  /** Instead of the tiny model, the one that svc brings along. */
  hasBundledModel?: boolean;
}

export async function createHome(options: HomeOptions = {}): Promise<Home> {
  const { within = tmpdir(), cloudOptions = [], hasBundledModel = false } = options;
  const folder = await mkdtemp(join(within, 'svc-endurance-'));
  const model = hasBundledModel ? null : await makeModelFolder();
  const startCloud = ['cloud', 'start', ...(model === null ? [] : ['--base-model', model]), ...cloudOptions];
  const cwd = join(folder, 'project');
  await mkdir(cwd);
  const home = join(folder, '.svc');
  const data = join(home, 'cloud');
  // While its cloud is down, none of another test takes this port.
  const env = { SVC_HOME: home, SVC_CLOUD_PORT: String(await findFreePort()) };
  const place: ProgramOptions = { cwd, env };
  const start = (...args: string[]) => startProgram(args, place);
  const svc = (...args: string[]) => start(...args).ended;
  const cloud = () => readLiving<CloudFile>(join(data, 'cloud.json'));
  const studio = () => readLiving<StudioFile>(join(cwd, '.svc', 'studio.json'));

  return {
    place,
    folder,
    data,
    svc,
    start,
    cloud,
    studio,
    access: () => readAccess(place),
    async wake() {
      for (;;) {
        const living = await cloud();
        if (living) return living;
        await svc(...startCloud);
      }
    },
    async end() {
      await svc('cloud', 'stop');
      const living = await cloud();
      if (living) process.kill(living.pid, 'SIGKILL');
      await rm(folder, { recursive: true, force: true });
      if (model !== null) await rm(model, { recursive: true, force: true });
    },
  };
}

async function readLiving<T extends { pid: number }>(path: string): Promise<T | null> {
  const file = await readJson<T>(path).catch(() => null);
  return file && isAlive(file.pid) ? file : null;
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await readFile(path, 'utf8')) as T;
}
