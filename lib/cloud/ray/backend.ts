// Serves the model from replicas of our engine on a Ray cluster. Keeps the application `svc` deployed there and sends it
// requests.
import { type Clock, realClock } from '../../clock/index.js';
import type { WeightSetting } from '../../engine/index.js';
import { createElsewhere } from '../backends/elsewhere.js';
import type { Tickets } from '../backends/tickets.js';
import { ALL_ABILITIES, type Backend, requireLoaded, type ServingDoor } from '../seams/backend.js';
import {
  APP,
  findForeignOwner,
  isDeployed,
  mergeApps,
  type Replicas,
  readAppState,
  toAppConfig,
} from './application.js';
import { type AskPatience, askReplicas, type ServingCounts } from './ask-replica.js';
import type { RayClient, RayPackage } from './client.js';
import { RayError } from './ray-error.js';
import type { ServeDetails } from './ray-responses.js';

interface RayBackendOptions {
  client: Pick<RayClient, 'ensurePackage' | 'readServe' | 'putServe'>;
  /** Ray Serve's HTTP address, such as `http://head:8000`. */
  url: string;
  /** The URL at which replicas reach this cloud. */
  cloudUrl: string;
  tickets: Tickets;
  readPackage(): Promise<RayPackage>;
  replicas: Replicas;
  /** Per replica. */
  cpus: number;
  weights: WeightSetting;
  /** Per replica, in bytes. */
  memory?: number | undefined;
  log(line: { message: string; error?: unknown }): void;
  /** How long a request waits for a replica. */
  patience?: AskPatience;
  clock?: Clock | undefined;
}

interface RayBackend extends Backend {
  door: ServingDoor;
  readonly counts: Readonly<ServingCounts>;
}

/** How often to check the application, while it starts and once it runs. */
const START_MS = 1000;
const LOOK_MS = 15_000;
const PATIENCE: AskPatience = { firstMs: 50, longestMs: 1000, totalMs: 30_000 };
/** How long removing the application may take on shutdown. */
const CLOSE_MS = 5000;

export function createRayBackend(options: RayBackendOptions): RayBackend {
  const { client, tickets, log, patience = PATIENCE, clock = realClock } = options;
  const at = new URL(options.url);
  const folders = new Map<string, string>();
  const counts: ServingCounts = { loaded: 0, fetched: 0, repeated: 0 };
  let closing: Promise<void> | null = null;

  async function reconcile(): Promise<'starting' | 'ready'> {
    const details = await client.readServe();
    const app = await describeApp();
    if (findForeignOwner(details, tickets.owner) !== null)
      throw new RayError(
        'rejected',
        `Another cloud answers through the application ${APP} on this Ray cluster. Stop that one first, or remove its application.`,
      );
    if (isDeployed(details, app)) return toState(details);
    await client.putServe(mergeApps(details, app, at));
    log({ message: `The application ${APP} is deployed on the Ray cluster, for chats.` });
    return 'starting';
  }

  /** Checks each time that the cluster still has the package: replicas are also started later. */
  async function describeApp() {
    const { cloudUrl, replicas, cpus, weights, memory } = options;
    return toAppConfig({
      packageUri: await client.ensurePackage(await options.readPackage()),
      replicas,
      cpus,
      args: {
        url: `${cloudUrl.replace(/\/+$/, '')}/v1/serving`,
        modelTicket: tickets.forModel(),
        callers: tickets.callerDigest,
        owner: tickets.owner,
        engine: {
          // All replicas must give the same answers, so none of them chooses.
          weights: weights === 'auto' ? 'f32' : weights,
          ...(weights === 'int8' && { roundedFolder: `/tmp/svc-rounded-${tickets.owner}` }),
          threads: Math.max(1, Math.floor(cpus)),
          ...(memory !== undefined && { memory }),
        },
      },
    });
  }

  const ray = createElsewhere({
    look: reconcile,
    waitMs: state => (state === 'ready' ? LOOK_MS : START_MS),
    onProblem: problem => log({ message: `Chats on Ray: ${problem}` }),
    clock,
  });
  const url = `${options.url.replace(/\/+$/, '')}/${APP}`;
  const asked = { url, tickets, application: ray, patience, clock, counts };
  return {
    abilities: ALL_ABILITIES,
    counts,
    door: {
      opensModel: tickets.opensModel,
      findAdapter: (ticket, sha256) =>
        tickets.opensAdapter(ticket, sha256) ? (folders.get(sha256) ?? null) : null,
    },
    get state() {
      return ray.state;
    },
    async load({ sha256, folder }) {
      folders.set(sha256, folder);
    },
    async unload(sha256) {
      folders.delete(sha256);
    },
    ask: (kind, task, signal) =>
      ray.ask(signal, asking => {
        requireLoaded(task, folders);
        return askReplicas(asked, kind, task, asking);
      }),
    close() {
      closing ??= closeNow();
      return closing;
    },
  };

  async function closeNow(): Promise<void> {
    const watching = ray.close();
    const { loaded, fetched, repeated } = counts;
    log({
      message: `Chats on Ray: ${loaded} found their adapter loaded, ${fetched} had it fetched, ${repeated} were tried again.`,
    });
    await new Promise<void>((resolve, reject) => {
      const late = clock.after(CLOSE_MS, resolve);
      watching
        .then(remove)
        .finally(() => late.stop())
        .then(resolve, reject);
    });
  }

  /** A stopped cloud leaves nothing running. After a crash, the next one finds its replicas. */
  async function remove(): Promise<void> {
    try {
      const details = await client.readServe();
      const isOurs = details.applications[APP]?.deployed_app_config?.args?.owner === tickets.owner;
      if (isOurs) await client.putServe(mergeApps(details, null, at));
    } catch (error) {
      if (!(error instanceof RayError)) throw error;
      log({ message: `The application ${APP} may still run on the Ray cluster. ${error.message}` });
    }
  }
}

/** Throws if the application cannot serve requests. */
function toState(details: ServeDetails): 'starting' | 'ready' {
  const { status, message, running } = readAppState(details);
  if (status === 'DEPLOY_FAILED' || (status === 'UNHEALTHY' && running === 0))
    throw new Error(`The application ${APP} is ${status}. ${message}`.trim());
  return status === 'RUNNING' || running > 0 ? 'ready' : 'starting';
}
