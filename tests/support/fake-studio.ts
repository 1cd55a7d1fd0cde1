// A Studio whose answers are scripted: the real routes, guard, headers and files around data that a test holds in its
// hands and changes while the page looks at it.
import { join } from 'node:path';
import { ApiError, type StudioRoutes, studioRoutes } from '../../lib/contract/index.js';
import { createApp, type Handlers, listen } from '../../lib/http/index.js';
import { addSecurityHeaders, createGuard } from '../../lib/studio/guard.js';
import { createStaticFiles } from '../../lib/studio/static-files.js';
import { createFakeHandlers } from './fake-studio/handlers.js';
import { createWorld, type World } from './fake-studio/world.js';
import { repositoryRoot } from './repository-root.js';

export type { World } from './fake-studio/world.js';

interface Call {
  name: keyof StudioRoutes;
  method: string;
  /** Path and query. */
  path: string;
  body: unknown;
}

export interface FakeStudio {
  url: string;
  /** What a caller of its API must know. */
  readonly token: string;
  world: World;
  /** Every call of the API that passed the guard, in order. */
  calls: Call[];
  /** The calls of one route. */
  callsOf(name: keyof StudioRoutes): Call[];
  /** Every answer, of the guard too. */
  answers: { path: string; status: number }[];
  /** As if it had been launched anew: the token of open pages is refused. */
  renewToken(): void;
  /** The same in another project, on the same port. */
  moveTo(folder: string): void;
  close(): Promise<void>;
}

let launches = 0;

type Answer = (request: Request) => Promise<Response>;
/** Where a Studio is to be found from now on. */
export type Place = (answer: Answer) => Promise<{ url: string; close(graceMs: number): Promise<void> }>;

const ownPort: Place = answer => listen({ fetch: answer }, { ports: [0] });

/** One port for Studios that come one after the other, since a browser makes a new process for each origin. */
export async function openSharedPort(): Promise<{ place: Place; close(): Promise<void> }> {
  let current: Answer = async () => new Response(null, { status: 503 });
  const listening = await listen({ fetch: request => current(request) }, { ports: [0] });
  return {
    async place(answer) {
      current = answer;
      return { url: listening.url, close: async () => {} };
    },
    close: () => listening.close(0),
  };
}

export async function startFakeStudio(place: Place = ownPort): Promise<FakeStudio> {
  const world = createWorld();
  const calls: Call[] = [];
  const answers: FakeStudio['answers'] = [];
  let token = newToken();
  let folder = '/projects/triage';
  const app = createApp({
    guard: request => createGuard(token)(request),
    log: ({ error }) => console.error(error),
  })
    .mount(studioRoutes, watched(createFakeHandlers(world), world, calls))
    .fallback(request =>
      createStaticFiles({ folder, staticFolder: join(repositoryRoot, 'dist/studio-web'), token })(request),
    );
  async function answer(request: Request): Promise<Response> {
    const response = addSecurityHeaders(await app.fetch(request));
    answers.push({ path: new URL(request.url).pathname, status: response.status });
    return response;
  }
  const listening = await place(answer);
  return {
    url: listening.url,
    get token() {
      return token;
    },
    world,
    calls,
    answers,
    callsOf: name => calls.filter(call => call.name === name),
    renewToken: () => {
      token = newToken();
    },
    moveTo: to => {
      token = newToken();
      folder = to;
    },
    close: () => listening.close(0),
  };
}

/** Handlers that note each call, wait where the world is slow, and fail where it fails. */
function watched(
  handlers: Handlers<StudioRoutes>,
  { failures, slowness }: World,
  calls: Call[],
): Handlers<StudioRoutes> {
  const entries = Object.entries(handlers).map(([name, handle]) => {
    const route = name as keyof StudioRoutes;
    return [
      route,
      async (input: { request: Request; body?: unknown }) => {
        const { pathname, search } = new URL(input.request.url);
        calls.push({ name: route, method: input.request.method, path: pathname + search, body: input.body });
        await slowness[route];
        const failure = failures[route];
        if (failure) throw failure;
        return (handle as (given: unknown) => unknown)(input);
      },
    ];
  });
  return Object.fromEntries(entries) as Handlers<StudioRoutes>;
}

function newToken(): string {
  return `fake-token-${++launches}`.padEnd(43, '0');
}

export function refusal(
  status: number,
  code: string,
  message: string,
  param: string | null = null,
): ApiError {
  return new ApiError({ status, type: 'invalid_request_error', code }, message, { param });
}
