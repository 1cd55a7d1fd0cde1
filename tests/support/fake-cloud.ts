// A cloud that remembers who called what, in this process: for what must be said, or must not be asked, over the wire.

import { ApiError, cloudRoutes, type Project } from '../../lib/contract/index.js';
import { createApp, listenOnLoopback } from '../../lib/http/index.js';

export interface FakeCloud {
  url: string;
  /** `POST /v1/projects`, in order. */
  calls: string[];
  /** The same calls, with what they carried. */
  requests: { name: string; query: string; headers: Headers }[];
  projects: Project[];
  close(): Promise<void>;
}

const NAMES = Object.keys(cloudRoutes) as (keyof typeof cloudRoutes)[];

/** Handlers that are not given answer `unknown_url`. */
export async function startFakeCloud(
  // biome-ignore lint/suspicious/noExplicitAny: handlers of any route.
  handlers: Record<string, (input: any) => unknown> = {},
): Promise<FakeCloud> {
  const calls: string[] = [];
  const requests: FakeCloud['requests'] = [];
  const projects: Project[] = [];
  let identities = 0;
  const known: typeof handlers = {
    signUpAnonymously: () => {
      const number = ++identities;
      return {
        token: `token-${number}`,
        anonymousId: `anon-${number}`,
        kind: 'cli',
        personalOrg: { id: `org-${number}`, slug: `anon-${number}`, name: 'Anonymous' },
        deploymentDomain: 'deployments.test',
        baseModel: 'svc/tiny',
      };
    },
    listProjects: () => ({ projects }),
    createProject: ({ body }) => {
      const project = {
        ...body,
        id: `p-${projects.length + 1}`,
        orgId: 'org-1',
        createdAt: new Date().toISOString(),
      };
      projects.push(project);
      return { project };
    },
    ...handlers,
  };
  const missing = () => {
    throw new ApiError('unknown_url', 'This fake has no such route.');
  };
  const app = createApp({
    guard: request => {
      const { pathname, search } = new URL(request.url);
      const name = `${request.method} ${pathname}`;
      calls.push(name);
      requests.push({ name, query: search, headers: new Headers(request.headers) });
    },
    log: ({ error }) => console.error(error),
  });
  app.mount(cloudRoutes, Object.fromEntries(NAMES.map(name => [name, known[name] ?? missing])) as never);
  const listening = await listenOnLoopback(app, [0]);
  return { url: listening.url, calls, requests, projects, close: () => listening.close() };
}
