// The parts of a cloud whose jobs, and chats if wanted, run on a Ray cluster.
import type { Clock } from '../../clock/index.js';
import type { WeightSetting } from '../../engine/index.js';
import { findPackage } from '../../system/index.js';
import type { CloudDeps } from '../deps.js';
import {
  buildPackage,
  createClusterReader,
  createRayBackend,
  createRayClient,
  createRayRunner,
  type RayPackage,
  type Replicas,
} from '../ray/index.js';
import { createTickets } from '../serving/tickets.js';

export interface RayOptions {
  /** The dashboard's URL, such as `http://head:8265`. */
  url: string;
  /** The file with its token. */
  tokenFile?: string | undefined;
  /** Where the cluster's machines reach this cloud. Default: its own address. */
  advertiseUrl?: string | undefined;
  /** The cluster adds nodes for what waits. */
  autoscaling?: boolean | undefined;
  /** Answers chats there, too. Default: on this machine. */
  serve?: RayServeOptions | undefined;
}

interface RayServeOptions {
  /** Where Ray Serve answers HTTP, such as `http://head:8000`. */
  url: string;
  replicas: Replicas;
  /** For each replica. */
  cpus: number;
}

interface Surroundings {
  log: CloudDeps['log'];
  /** The cloud's own address. */
  cloudUrl: string;
  secret: string;
  weights: WeightSetting;
  memory?: number | undefined;
  clock: Clock;
}

type RayParts = Pick<CloudDeps, 'runner' | 'readCluster' | 'workerUrl'> &
  Partial<Pick<CloudDeps, 'backend' | 'serving'>>;

export function createRayParts(
  { advertiseUrl, autoscaling, serve, ...address }: RayOptions,
  { log, cloudUrl, secret, weights, memory, clock }: Surroundings,
): RayParts {
  const client = createRayClient({ ...address, clock });
  const cluster = createClusterReader(client, clock);
  const build = (hasEngine: boolean) => buildPackage(findPackage(), hasEngine);
  const runner = createRayRunner({ client, cluster, buildPackage: build, autoscaling, log, clock });
  const parts = { runner, readCluster: cluster.read, workerUrl: advertiseUrl };
  if (!serve) return parts;
  let built: Promise<RayPackage> | null = null;
  const backend = createRayBackend({
    ...serve,
    client,
    cloudUrl: advertiseUrl ?? cloudUrl,
    tickets: createTickets(secret, clock),
    readPackage() {
      built ??= build(true);
      built.catch(() => {
        built = null;
      });
      return built;
    },
    weights,
    memory,
    log,
    clock,
  });
  return { ...parts, backend, serving: backend.door };
}
