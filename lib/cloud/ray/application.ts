// Ray Serve's config for the application `svc`, next to other applications: a `PUT` replaces everything, so existing
// applications are sent again. Pure.
import { createHash } from 'node:crypto';
import { isLoopbackHost } from '../../contract/index.js';
import { NODE_FOLDER } from './package/build-package.js';
import { RayError } from './ray-error.js';
import type { AppConfig, ServeConfig, ServeDetails } from './ray-responses.js';
import { PRIVATE } from './submission.js';

export const APP = 'svc';
/** Ray leaves values out for clients that look like a browser. */
const REDACTED = '"<redacted>"';
const DEPLOYMENT = 'engine';
/** How many requests a replica handles at once and queues: the engine's own limits. */
const MOST_ONGOING = 40;
/** Serve adds replicas above this load, and removes them below it. */
const WANTED_ONGOING = 8;

export interface Replicas {
  min: number;
  max: number;
}

interface ServedApp {
  packageUri: string;
  args: { url: string; modelTicket: string; callers: string; owner: string; engine: Record<string, unknown> };
  replicas: Replicas;
  cpus: number;
}

export function toAppConfig({ packageUri, args, replicas, cpus }: ServedApp): AppConfig {
  const app = {
    name: APP,
    route_prefix: `/${APP}`,
    import_path: 'svc_ray.serving.app:build',
    runtime_env: {
      working_dir: packageUri,
      env_vars: { SVC_NODE_PACKAGE: NODE_FOLDER, ...PRIVATE },
    },
    deployments: [
      {
        name: DEPLOYMENT,
        max_ongoing_requests: MOST_ONGOING,
        autoscaling_config: {
          min_replicas: replicas.min,
          max_replicas: replicas.max,
          target_ongoing_requests: WANTED_ONGOING,
        },
        ray_actor_options: { num_cpus: cpus },
      },
    ],
  };
  const revision = createHash('sha256')
    .update(JSON.stringify([app, args]))
    .digest('hex')
    .slice(0, 16);
  return { ...app, args: { ...args, revision } };
}

/** Whether Serve runs it with the wanted config. */
export function isDeployed(details: ServeDetails, app: AppConfig): boolean {
  return details.applications[APP]?.deployed_app_config?.args?.revision === app.args!.revision;
}

/** The config to `PUT` so that the application `svc` is deployed or removed. Everything else stays. */
export function mergeApps(details: ServeDetails, app: AppConfig | null, at: URL): ServeConfig {
  const found = Object.entries(details.applications);
  // Applications without a config were started by a program. Serve keeps them.
  const others = found.flatMap(([name, { deployed_app_config: own }]) => (name !== APP && own ? [own] : []));
  if (JSON.stringify(others).includes(REDACTED))
    throw new RayError(
      'rejected',
      "Ray hides parts of the applications on this cluster, so svc cannot keep them next to its own. Set RAY_DASHBOARD_REDACT_RUNTIME_ENV=0 for the cluster's head.",
    );
  return { ...toInstance(details, at), applications: app ? [...others, app] : others };
}

/** The ID of another cloud that deployed the application, if any. */
export function findForeignOwner(details: ServeDetails, owner: string): string | null {
  const there = details.applications[APP]?.deployed_app_config?.args?.owner;
  return typeof there === 'string' && there !== owner ? there : null;
}

/** Serve keeps these from its first start, so they are set only if it is not running yet. */
function toInstance(details: ServeDetails, at: URL): Record<string, unknown> {
  const { proxy_location, http_options, grpc_options, target_capacity } = details;
  if (!http_options) {
    const port = Number(at.port || (at.protocol === 'https:' ? 443 : 80));
    const host = isLoopbackHost(at.hostname) ? '127.0.0.1' : '0.0.0.0';
    return { proxy_location: 'HeadOnly', http_options: { host, port } };
  }
  return {
    http_options,
    ...(proxy_location && { proxy_location }),
    ...(grpc_options && { grpc_options }),
    ...(target_capacity && { target_capacity }),
  };
}

interface AppState {
  status: string | null;
  message: string;
  /** The number of running replicas. */
  running: number;
}

export function readAppState({ applications: { [APP]: app } }: ServeDetails): AppState {
  const replicas = app?.deployments[DEPLOYMENT]?.replicas ?? [];
  return {
    status: app?.status ?? null,
    message: app?.message ?? '',
    running: replicas.filter(({ state }) => state === 'RUNNING').length,
  };
}
