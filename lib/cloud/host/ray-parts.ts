// The parts of a cloud that runs its jobs, and optionally chats, on a Ray cluster, and the checks of such a cluster.
import type { Clock } from '../../clock/index.js';
import { isLoopbackHost } from '../../contract/index.js';
import type { WeightSetting } from '../../engine/index.js';
import { findPackage, keepResult } from '../../system/index.js';
import { proveSecret } from '../auth/token.js';
import { createTickets } from '../backends/tickets.js';
import type { CloudDeps } from '../deps.js';
import {
  buildPackage,
  type ClusterFindings,
  checkCluster,
  checkWorkers,
  createClusterReader,
  createRayBackend,
  createRayClient,
  createRayRunner,
  type Finding,
  type Replicas,
} from '../ray/index.js';

export interface RayOptions {
  /** The dashboard's URL, such as `http://head:8265`. */
  url: string;
  /** The file with its token. */
  tokenFile?: string | undefined;
  /** The URL at which the cluster's machines reach this cloud. Default: its own address. */
  advertiseUrl?: string | undefined;
  /** The cluster adds nodes on demand. */
  autoscaling?: boolean | undefined;
  /** Serves chats there, too. Default: on this machine. */
  serve?: RayServeOptions | undefined;
}

interface RayServeOptions {
  /** Ray Serve's HTTP address, such as `http://head:8000`. */
  url: string;
  replicas: Replicas;
  /** Per replica. */
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
  const readCluster = createClusterReader(client, clock);
  const withEngine = keepResult(() => buildPackage(findPackage(), true));
  const withoutEngine = keepResult(() => buildPackage(findPackage(), false));
  const readPackage = (hasEngine: boolean) => (hasEngine ? withEngine() : withoutEngine());
  const runner = createRayRunner({ client, readCluster, readPackage, autoscaling, log, clock });
  const parts = { runner, readCluster, workerUrl: advertiseUrl };
  if (!serve) return parts;
  const backend = createRayBackend({
    ...serve,
    client,
    cloudUrl: advertiseUrl ?? cloudUrl,
    tickets: createTickets(secret, clock),
    readPackage: withEngine,
    weights,
    memory,
    log,
    clock,
  });
  return { ...parts, backend, serving: backend.door };
}

type Address = Pick<RayOptions, 'url' | 'tokenFile'>;

/** Someone is waiting for the result. */
const ANSWER_MS = 5000;

/** Checks that it responds, accepts the token, is new enough, and has nodes. Starts nothing there. */
export function checkRay(address: Address): Promise<ClusterFindings> {
  return checkCluster(createRayClient({ ...address, answerMs: ANSWER_MS }));
}

/**
 * `cloud`: the URL for workers, and the secret with which the cloud proves its identity, which stays here. With `serve`,
 * also checks whether the machines can serve chats.
 */
export async function checkRayWorkers(
  { serve, ...address }: Address & Pick<RayOptions, 'serve'>,
  cloud: { url: string; secret: string } | null,
): Promise<Finding[]> {
  return checkWorkers({
    client: createRayClient(address),
    content: await buildPackage(findPackage(), false),
    serves: serve !== undefined,
    cloud: cloud && { url: cloud.url, prove: nonce => proveSecret(cloud.secret, nonce) },
  });
}

/** The error for a remote cluster that would look for this cloud on its own machines; null if there is none. */
export function findUnreachable(ray: Pick<RayOptions, 'url'>, workerUrl: string): Finding | null {
  if (isLoopbackHost(new URL(ray.url).hostname) || !isLoopbackHost(new URL(workerUrl).hostname)) return null;
  return {
    name: 'ray-cloud',
    status: 'warning',
    message: `The machines of the cluster look for this cloud at ${workerUrl}, which is themselves.`,
    hint: 'Start the cloud with --advertise-url and a URL that they reach, unless each of them has a tunnel to this machine.',
  };
}
