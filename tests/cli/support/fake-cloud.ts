// A cloud in memory, on a port of its own: it answers the routes of the contract as a test has set it up. It neither
// trains nor serves; what it knows is in its lists, and a test may change them.

import {
  cloudRoutes,
  type Deployment,
  type Job,
  type JobEvent,
  type Key,
} from '../../../lib/contract/index.js';
import { createApp, listenOnLoopback } from '../../../lib/http/index.js';
import { createFakeEdge } from './fake-edge.js';
import { createFakeHandlers } from './fake-handlers.js';

export interface FakeJob {
  job: Job;
  events: JobEvent[];
  /** By the artifact's name: a tar archive. */
  archives: Record<string, Uint8Array<ArrayBuffer>>;
}

export interface FakeState {
  jobs: FakeJob[];
  deployments: Deployment[];
  keys: Key[];
  /** `GET /v1/jobs`, in order. */
  calls: string[];
  /** The conversations that were sent to any chat. */
  chats: { role: string; content?: unknown }[][];
  /** What is done with a job that was created. */
  onJob: (job: FakeJob) => void;
  /** An answer stops after its first word until its reader goes away. */
  hangs: boolean;
  /** After so many events the connection of a stream is cut, once. */
  cutsAfter: number | null;
}

export interface FakeCloud extends FakeState {
  url: string;
  /** Adds an event to a job's log, and lets it be read. */
  emit(id: string, event: JobEvent): void;
  close(): Promise<void>;
}

export async function startFakeCloud(): Promise<FakeCloud> {
  const readers = new Set<() => void>();
  const state: FakeState = {
    jobs: [],
    deployments: [],
    keys: [],
    calls: [],
    chats: [],
    onJob: () => {},
    hangs: false,
    cutsAfter: null,
  };
  const app = createApp({
    guard: request => void state.calls.push(`${request.method} ${new URL(request.url).pathname}`),
    log: ({ error }) => {
      throw error;
    },
  })
    .mount(cloudRoutes, createFakeHandlers(state, readers))
    .fallback(createFakeEdge(state));
  const { url, close } = await listenOnLoopback(app, [0]);
  return Object.assign(state, {
    url,
    close,
    emit(id: string, event: JobEvent) {
      state.jobs.find(({ job }) => job.id === id)!.events.push(event);
      for (const wake of readers) wake();
    },
  });
}
