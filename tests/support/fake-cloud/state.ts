// What a fake cloud knows, which a test may change.

import type {
  ClusterActivity,
  Deployment,
  Job,
  JobEvent,
  KeptRequest,
  Key,
  Project,
  ServedModel,
} from '../../../lib/contract/index.js';
import type { KeptEvaluation } from '../sample-evaluation.js';

export interface FakeJob {
  job: Job;
  events: JobEvent[];
  /** By the artifact's name: a tar archive. */
  archives: Record<string, Uint8Array<ArrayBuffer>>;
}

export interface FakeState {
  projects: Project[];
  jobs: FakeJob[];
  deployments: Deployment[];
  keys: Key[];
  projectKeys: Key[];
  evaluations: KeptEvaluation[];
  /** What its endpoints have kept. */
  kept: KeptRequest[];
  cluster: ClusterActivity | null;
  baseModel: Pick<ServedModel, 'facts' | 'preparing'>;
  /** `GET /v1/jobs`, in order. */
  calls: string[];
  /** The same calls, with what they carried. */
  requests: { name: string; query: string; headers: Headers }[];
  /** The conversations that were sent to any chat. */
  chats: { role: string; content?: unknown }[][];
  /** What is done with a job that was created. */
  onJob: (job: FakeJob) => void;
  /** An answer stops after its first word until its reader goes away. */
  hangs: boolean;
  /** It has no route for a log so far, as a cloud of someone else. */
  lacksLog: boolean;
  /** After so many events the connection of a stream is cut, once. */
  cutsAfter: number | null;
}

export function emptyState(): FakeState {
  return {
    projects: [],
    jobs: [],
    deployments: [],
    keys: [],
    projectKeys: [],
    evaluations: [],
    baseModel: { facts: null, preparing: null },
    kept: [],
    cluster: null,
    calls: [],
    requests: [],
    chats: [],
    onJob: () => {},
    hangs: false,
    lacksLog: false,
    cutsAfter: null,
  };
}
