// What a fake Studio knows: plain data, and the streams that a test feeds.

import type {
  ApiError,
  ClusterActivity,
  Deployment,
  Identity,
  InferenceRequest,
  Job,
  KeptRequest,
  Key,
  Manifest,
  ServedModelFacts,
  StudioRoutes,
} from '../../../lib/contract/index.js';
import type { Said } from '../answer-chunk.js';
import type { KeptEvaluation } from '../sample-evaluation.js';
import { createEventLog, type FakeEventLog } from './event-log.js';
import { createRun, type FakeRun } from './train-run.js';

export interface World {
  identity: Identity;
  manifest: Manifest;
  jobs: Job[];
  deployments: Deployment[];
  /** By the id of their deployment. */
  keys: Record<string, Key[]>;
  evaluations: KeptEvaluation[];
  /** What the endpoints have kept. */
  kept: KeptRequest[];
  /** Null while the cloud trains on its own machine. */
  cluster: ClusterActivity | null;
  /** What is known of it, if the cloud tells. */
  baseModel?: ServedModelFacts;
  /** What chats wait for. */
  preparing?: string;
  run: FakeRun;
  /** Parts of an answer, and of the thought before it. */
  reply(request: InferenceRequest): AsyncIterable<Said>;
  /** The event log of a job; made when it is first asked for. */
  eventsOf(jobId: string): FakeEventLog;
  /** What a route is refused with. */
  failures: Partial<Record<keyof StudioRoutes, ApiError>>;
  /** What a route waits for before it answers. */
  slowness: Partial<Record<keyof StudioRoutes, Promise<unknown>>>;
}

export const BASE_MODEL = 'svc/tiny-instruct';

export function createWorld(): World {
  const logs = new Map<string, FakeEventLog>();
  return {
    identity: {
      mode: 'anonymous',
      orgSlug: 'anon-4f2a',
      projectSlug: 'support-bot-1f2e',
      cloudHost: 'local',
      deploymentDomain: 'd.example.com',
      baseModel: BASE_MODEL,
    },
    manifest: {
      trainer: {
        name: 'triage',
        model: BASE_MODEL,
        maxSteps: 200,
        data: { name: 'tickets.jsonl', bytes: 420_000 },
      },
    },
    jobs: [],
    deployments: [],
    keys: {},
    evaluations: [],
    kept: [],
    cluster: null,
    run: createRun(),
    async *reply({ messages }) {
      yield 'You said: ';
      yield String(messages.at(-1)?.content);
    },
    eventsOf(jobId) {
      const log = logs.get(jobId) ?? createEventLog();
      logs.set(jobId, log);
      return log;
    },
    failures: {},
    slowness: {},
  };
}
