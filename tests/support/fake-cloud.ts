// A cloud in memory, on a port of its own: it answers the routes of the contract from its lists, which a test may change,
// or as the test says, and remembers who called what. It neither trains nor serves.
import { cloudRoutes, type JobEvent } from '../../lib/contract/index.js';
import { createApp, listen } from '../../lib/http/index.js';
import { createFakeEdge } from './fake-cloud/edge.js';
import { createFakeHandlers } from './fake-cloud/handlers.js';
import { emptyState, type FakeState } from './fake-cloud/state.js';

export interface FakeCloud extends FakeState {
  url: string;
  /** Adds an event to a job's log, and lets it be read. */
  emit(id: string, event: JobEvent): void;
  close(): Promise<void>;
}

/** Routes that are given are answered by what is given. */
export async function startFakeCloud(
  // biome-ignore lint/suspicious/noExplicitAny: handlers of any route.
  handlers: Record<string, (input: any) => unknown> = {},
): Promise<FakeCloud> {
  const readers = new Set<() => void>();
  const state = emptyState();
  const app = createApp({
    guard: request => {
      const { pathname, search } = new URL(request.url);
      const name = `${request.method} ${pathname}`;
      state.calls.push(name);
      state.requests.push({ name, query: search, headers: new Headers(request.headers) });
    },
    log: ({ error }) => console.error(error),
  })
    .mount(cloudRoutes, { ...createFakeHandlers(state, readers), ...handlers } as never)
    .fallback(createFakeEdge(state));
  const { url, close } = await listen(app, { ports: [0] });
  return Object.assign(state, {
    url,
    close: () => close(),
    emit(id: string, event: JobEvent) {
      state.jobs.find(({ job }) => job.id === id)!.events.push(event);
      for (const wake of readers) wake();
    },
  });
}
