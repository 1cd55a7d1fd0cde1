// What a cloud is made with. Everything that differs between one machine and many is chosen here: who runs a job, and
// who answers a chat.
import type { IdentityProvider } from '../contract/index.js';
import type { LogLine } from '../http/index.js';
import type { InferenceBackend } from './seams/backend.js';
import type { JobRunner } from './seams/runner.js';

export interface CloudDeps {
  /** Where everything lies: the database, data sets, adapters. */
  folder: string;
  version: string;
  /**
   * The one base model of this cloud: its name on the wire and its folder in Hugging Face's layout. The digest tells it
   * from another of this name: adapters of that one are not served.
   */
  baseModel: { name: string; folder: string; digest?: string };
  /** Proves to callers who can read `cloud.json` that this is the cloud that wrote it. */
  secret: string;
  address: CloudAddress;
  /** How many jobs run at once. */
  concurrency: number;
  /** Whether anonymous identities are minted; `secret`: for callers who know the cloud's secret. */
  anonymous: 'secret' | 'open' | 'off';
  /** The identity provider whose access tokens are believed; none, and there are no users. */
  oauth?: IdentityProvider | undefined;
  /** Listens beyond loopback: data sets are then not fetched from private addresses. */
  exposed: boolean;
  runner: JobRunner;
  backend: InferenceBackend;
  log: (line: CloudLogLine) => void;
  /** Asks the process of the cloud to end. */
  stop: () => void;
  now?: () => Date;
  /** How the database waits; its own defaults unless given. */
  store?: { patienceMs?: number; idleMs?: number };
}

/** Under which names a cloud is reached. */
export interface CloudAddress {
  /** The base of its own URL, `http://localhost:4100`. */
  url: string;
  /** `localhost:4100`: deployments answer at one label before it. */
  deploymentDomain: string;
  /** Host names, without ports, that the API answers to. */
  names: readonly string[];
}

/** What goes into the cloud's log: requests that failed unexpectedly, and what happens to jobs and engines. */
export type CloudLogLine = LogLine | { message: string; error?: unknown };
