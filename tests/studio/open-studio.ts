// A Studio in this process with a temporary project and home, and a fake cloud that records calls.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Clock, realClock } from '../../lib/clock/index.js';
import { type CloudCredentials, errorEnvelope } from '../../lib/contract/index.js';
import { openSession } from '../../lib/sdk/index.js';
import { createStudio, type Studio, type StudioDeps } from '../../lib/studio/index.js';
import type { FakeCloud, startFakeCloud } from '../support/fake-cloud.js';
import { openRemoteProject } from '../support/remote-project.js';
import { sampleAnonymous, sampleSignedIn } from '../support/samples.js';
import { writeCredentials } from '../support/write-credentials.js';

export const TOKEN = 'T0ken-of-this-launch_0123456789abcdefghijkl';
export const JOB_ID = '1a2b3c4d-0000-4000-8000-000000000001';

export interface TestStudio {
  studio: Studio;
  cloud: FakeCloud;
  root: string;
  folder: string;
  home: string;
  /** Logged unexpected errors. */
  logged: unknown[];
  /** Calls Studio with the token, as the page does. */
  call(path: string, init?: RequestInit): Promise<Response>;
  json(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  /** Writes credentials of an OAuth user. */
  signIn(fields?: Parameters<typeof sampleSignedIn>[0]): Promise<void>;
  /** Writes credentials of an anonymous identity. */
  beKnown(): Promise<void>;
  writeState(state?: object): Promise<void>;
  readState(): Promise<unknown>;
  write(path: string, content: string): Promise<void>;
  close(): Promise<void>;
}

export const STATE = { orgSlug: 'anon-0', projectSlug: 'web', projectId: 'p-0' };

type Routes = Parameters<typeof startFakeCloud>[0];

export async function openStudio(
  routes: Routes = {},
  deps: Partial<StudioDeps> = {},
  clock: Clock = realClock,
): Promise<TestStudio> {
  const project = await openRemoteProject(routes);
  const { root, cwd: folder, home, cloud } = project;
  const env = { ...process.env, ...project.env };
  const logged: unknown[] = [];
  const studio = createStudio({
    session: openSession({ folder, env, clock }),
    token: TOKEN,
    staticFolder: join(root, 'web'),
    startTrain: () => Promise.reject(new Error('nothing is started here')),
    env,
    log: ({ error }) => void logged.push(error),
    ...deps,
  });
  const call: TestStudio['call'] = (path, init) => studio.fetch(toRequest(path, init));
  const write: TestStudio['write'] = async (path, content) => {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), content);
  };
  const be = async (entry: CloudCredentials) => void (await writeCredentials(home, { [cloud.url]: entry }));
  return {
    studio,
    cloud,
    root,
    folder,
    home,
    logged,
    call,
    write,
    async json(method, path, body) {
      const headers = { 'content-type': 'application/json' };
      const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
      const response = await call(path, init);
      return { status: response.status, body: await response.json() };
    },
    signIn: fields => be(sampleSignedIn(fields)),
    beKnown: () => be(sampleAnonymous({ orgSlug: STATE.orgSlug })),
    writeState: (state = STATE) => write('project/.svc/state.json', JSON.stringify(state)),
    readState: () =>
      readFile(join(folder, '.svc', 'state.json'), 'utf8').then(
        text => JSON.parse(text) as unknown,
        () => null,
      ),
    async close() {
      await studio.close();
      await project.close();
    },
  };
}

/** A request as the page sends it; `init` can override the headers. */
export function toRequest(path: string, init: RequestInit = {}): Request {
  const headers = new Headers({ host: 'localhost:4000', 'x-svc-studio-token': TOKEN });
  for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
  return new Request(`http://localhost:4000${path}`, { ...init, headers });
}

export async function refusalOf(
  response: Response,
): Promise<{ status: number; code: string; message: string }> {
  expect(response.headers.get('content-type')).toBe('application/json');
  const { error } = errorEnvelope.parse(await response.json());
  return { status: response.status, code: error.code, message: error.message };
}

export function sampleJob(overrides: object = {}) {
  return {
    id: JOB_ID,
    name: 'triage',
    status: 'running',
    config: { model: 'svc/tiny' },
    createdAt: '2025-01-01T00:00:00.000Z',
    orgId: 'org-1',
    projectId: 'p-0',
    ...overrides,
  };
}

export function sampleDeployment(overrides: object = {}) {
  return {
    id: 'd-1',
    slug: 'triage',
    target: { kind: 'base_model', baseModel: 'svc/tiny' },
    authMode: 'fixed_api_key',
    enabled: true,
    url: 'https://triage.d.example.com',
    createdAt: '2025-01-01T00:00:00.000Z',
    updatedAt: '2025-01-01T00:00:00.000Z',
    ...overrides,
  };
}
