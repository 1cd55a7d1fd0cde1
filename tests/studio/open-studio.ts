// A Studio in this process with a temporary project and home, and a fake cloud that records calls.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type Clock, realClock } from '../../lib/clock/index.js';
import { type CloudCredentials, errorEnvelope } from '../../lib/contract/index.js';
import { openSession } from '../../lib/sdk/index.js';
import type { StudioDeps } from '../../lib/studio/deps.js';
import { createStudio } from '../../lib/studio/index.js';
import { openRemoteProject } from '../support/remote-project.js';
import { sampleAnonymous, sampleSignedIn } from '../support/samples.js';
import { writeCredentials } from '../support/write-credentials.js';

export const TOKEN = 'T0ken-of-this-launch_0123456789abcdefghijkl';
export const STATE = { orgSlug: 'anon-0', projectSlug: 'web', projectId: 'p-0' };
/** The built page, as short as it can be. */
export const PAGE = '<head><meta name="svc-studio-token" content=""></head>';

export type TestStudio = Awaited<ReturnType<typeof openSharedStudio>>;

/** Is closed when the test has ended. */
export async function openStudio(...how: Parameters<typeof openSharedStudio>): Promise<TestStudio> {
  const test = await openSharedStudio(...how);
  onTestFinished(() => test.close());
  return test;
}

/** For several tests. */
export async function openSharedStudio(
  routes: Parameters<typeof openRemoteProject>[0] = {},
  deps: Partial<StudioDeps> = {},
  clock: Clock = realClock,
) {
  const project = await openRemoteProject(routes);
  const { root, cwd: folder, home, cloud } = project;
  const env = { ...process.env, ...project.env };
  /** Unexpected errors. */
  const logged: unknown[] = [];
  const studio = createStudio({
    folder,
    openSession: async () => openSession({ folder, env, clock }),
    token: TOKEN,
    staticFolder: join(root, 'web'),
    startTrain: () => Promise.reject(new Error('nothing is started here')),
    env,
    log: ({ error }) => void logged.push(error),
    ...deps,
  });
  /** Calls Studio with the token, as the page does. */
  const call = (path: string, init?: RequestInit) => studio.fetch(toRequest(path, init));
  const write = async (path: string, content: string) => {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), content);
  };
  const be = (entry: CloudCredentials) => writeCredentials(home, { [cloud.url]: entry });
  /** Writes credentials of an anonymous identity. */
  const beKnown = () => be(sampleAnonymous({ orgSlug: STATE.orgSlug }));
  const writeState = (state = STATE) => write('project/.svc/state.json', JSON.stringify(state));
  return {
    studio,
    cloud,
    root,
    folder,
    home,
    logged,
    call,
    write,
    /** The answer, and if it is an error, what that says. */
    async json(method: string, path: string, body?: unknown) {
      const headers = { 'content-type': 'application/json' };
      const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
      const response = await call(path, init);
      const answer = (await response.json()) as { error?: { code: string; message: string; param: string } };
      return { status: response.status, body: answer as unknown, ...answer.error };
    },
    /** Writes credentials of an OAuth user. */
    signIn: (fields?: Parameters<typeof sampleSignedIn>[0]) => be(sampleSignedIn(fields)),
    beKnown,
    writeState,
    /** As after the first run: an identity and a project. */
    async link() {
      await beKnown();
      await writeState();
    },
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

export async function refusalOf(response: Response) {
  expect(response.headers.get('content-type')).toBe('application/json');
  const { error } = errorEnvelope.parse(await response.json());
  return { status: response.status, code: error.code, message: error.message };
}
