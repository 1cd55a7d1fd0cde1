// A cloud's dependencies. Anything that differs between one machine and a cluster is injected here: the job runner and the
// inference backend.

import type { Clock } from '../clock/index.js';
import type {
  CloudDevice,
  CloudWeights,
  Cluster,
  IdentityProvider,
  ServedModelFacts,
  TargetModule,
  TorchFacts,
  TorchWeights,
} from '../contract/index.js';
import type { FileReader } from '../engine/index.js';
import type { LogLine } from '../http/index.js';
import type { Tracer } from '../telemetry/index.js';
import type { Backend, ServingDoor } from './seams/backend.js';
import type { JobRunner } from './seams/runner.js';

export interface CloudDeps {
  /** The data folder: the database, data sets and adapters. */
  folder: string;
  version: string;
  /**
   * The cloud's base model: its name on the wire and its folder in Hugging Face layout. The digest distinguishes models
   * of the same name; adapters of another one are not served. `targetModules`: what LoRA can adapt, if it is not the usual.
   */
  baseModel: { name: string; folder: string; digest?: string; targetModules?: readonly TargetModule[] };
  /** The precision of its weights in PyTorch. Default: the device's. */
  torchWeights?: TorchWeights | undefined;
  /** Proves to callers who can read `cloud.json` that this is the cloud that wrote it. */
  secret: string;
  address: CloudAddress;
  /** How many jobs run at once. */
  concurrency: number;
  /** How many hours answers are stored for callers who ask for it; 0: not at all. Default: 24. */
  storeHours?: number | undefined;
  /** Whether anonymous identities are created. `secret`: only for callers who know the cloud's secret. */
  anonymous: 'secret' | 'open' | 'off';
  /** Trusts access tokens from this provider. Without one, only anonymous identities exist. */
  oauth?: IdentityProvider | undefined;
  /** Whether it listens beyond loopback. Data sets are then not fetched from private addresses. */
  exposed: boolean;
  runner: JobRunner;
  /** The URL at which remote workers reach this cloud, if not its own address. */
  workerUrl?: string | undefined;
  backend: Backend;
  /** Files that a remote backend's machines may fetch from here. */
  serving?: ServingDoor | undefined;
  /** The cluster that jobs run on, if any. */
  readCluster?: (() => Promise<Cluster>) | undefined;
  /** What is known of the base model. */
  readModelFacts?: (() => Promise<ServedModelFacts>) | undefined;
  /** The precision of the base model's weights, if the cloud knows it. */
  readWeights?: (() => Promise<CloudWeights>) | undefined;
  /** What runs compute on, if the cloud knows it. */
  readDevice?: (() => Promise<CloudDevice>) | undefined;
  /** The Python that trains, if any. */
  readTorch?: (() => TorchFacts) | undefined;
  /**
   * Reads and checks files. Shared between clouds if given, and then not closed with the cloud; otherwise each has its own.
   */
  files?: FileReader | undefined;
  log: (line: CloudLogLine) => void;
  /** Records requests, answers and steps, if someone collects traces. */
  tracer?: Tracer | undefined;
  /** Whether its server refuses requests because too many connections are in use. */
  isFull?: (() => boolean) | undefined;
  /** Asks the cloud's process to end. */
  stop: () => void;
  /** Default: the real clock. The database thread has its own. */
  clock?: Clock | undefined;
}

/** The names under which a cloud is reached. */
export interface CloudAddress {
  /** Its own base URL, such as `http://localhost:4100`. */
  url: string;
  /** Such as `localhost:4100`: each deployment has one label before it. */
  deploymentDomain: string;
  /** The host names, without ports, that the API answers to. */
  names: readonly string[];
}

/** A line of the cloud's log: unexpected request failures, and events of jobs and engines. */
export type CloudLogLine = LogLine | { message: string; error?: unknown; requestId?: string | undefined };
