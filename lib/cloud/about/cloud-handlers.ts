// Routes about the cloud itself: its description, health, garbage collection and shutdown.
import {
  ApiError,
  type CloudDevice,
  type CloudProblem,
  type CloudRoutes,
  type CloudWeights,
  type ClusterActivity,
  type Collected,
  cloudRoutes,
  edgeRoutes,
  type Json,
  openAiRoutes,
  type TorchFacts,
  toOpenApi,
} from '../../contract/index.js';
import type { Handlers } from '../../http/index.js';
import { knowsSecret, proveSecret, requireSecret } from '../auth/token.js';
import type { CloudAddress, CloudDeps } from '../deps.js';
import type { Health } from '../health.js';
import type { GuardedBackend } from '../seams/backend.js';
import { StorageFault } from '../store/storage-fault.js';

export interface Activity {
  /** True when no job is queued or running and no chat is in progress. */
  idle: boolean;
  jobs: { queued: number; running: number };
  files: { running: number; waiting: number };
  weights?: CloudWeights;
  device?: CloudDevice;
  torch?: TorchFacts;
  cluster?: ClusterActivity;
}

interface CloudContext {
  health: Pick<Health, 'problems'>;
  deps: Pick<CloudDeps, 'address' | 'baseModel' | 'oauth' | 'readModelFacts' | 'secret' | 'stop' | 'version'>;
  backend: Pick<GuardedBackend, 'preparing'>;
  /** Queries the store; throws if it does not answer. */
  readActivity(): Promise<Activity>;
  collectGarbage(): Promise<Collected>;
}

type OwnRoutes = Pick<
  CloudRoutes,
  'getCloud' | 'getHealth' | 'getBaseModel' | 'collectGarbage' | 'stopCloud' | 'getOpenApi'
>;

export function cloudHandlers({
  deps,
  backend,
  health,
  readActivity,
  collectGarbage,
}: CloudContext): Handlers<OwnRoutes> {
  const { secret, version, baseModel, address, oauth } = deps;
  let document: Json | undefined;
  return {
    getCloud: ({ query: { nonce } }) => ({
      version,
      baseModel: baseModel.name,
      deploymentDomain: address.deploymentDomain,
      proof: nonce === undefined ? null : proveSecret(secret, nonce),
      ...(oauth && { oauth }),
    }),
    async getHealth({ request }) {
      const activity = await readActivity().catch(ignoreStorageFault);
      const own = knowsSecret(request, secret) ? activity : null;
      const problems = health.problems();
      return problems.length === 0 ? { status: 'ok', ...own } : answerDegraded(problems, own);
    },
    async getBaseModel() {
      const facts = (await deps.readModelFacts?.()) ?? null;
      const { name, digest } = baseModel;
      return { baseModel: { name, ...(digest && { digest }), facts, preparing: backend.preparing } };
    },
    getOpenApi: () => {
      document ??= describeApi(version, address);
      return document;
    },
    async collectGarbage({ request }) {
      requireSecret(request, secret);
      return { collected: await collectGarbage() };
    },
    stopCloud({ request }) {
      requireSecret(request, secret);
      deps.stop();
      return { pid: process.pid };
    },
  };
}

/** The cloud's health already reports it. */
function ignoreStorageFault(error: unknown): null {
  if (error instanceof StorageFault) return null;
  throw error;
}

const CODES = {
  store: 'storage_unavailable',
  engine: 'engine_unavailable',
  connections: 'too_many_connections',
  files: 'engine_unavailable',
} as const;

/** Takes its code from the first problem. */
function answerDegraded(problems: readonly CloudProblem[], activity: Activity | null): Response {
  const error = new ApiError(CODES[problems[0]!.part], problems.map(({ message }) => message).join(' '));
  return Response.json(
    { ...error.toEnvelope(), status: 'degraded', problems, ...activity },
    { status: error.status, headers: { 'retry-after': '2' } },
  );
}

/** The cloud's OpenAPI document, including its endpoints, which have their own addresses. */
function describeApi(version: string, { url, deploymentDomain }: CloudAddress): Json {
  return toOpenApi(
    { ...cloudRoutes, ...openAiRoutes },
    {
      title: 'svc cloud',
      version,
      server: url,
      security: 'bearer',
      elsewhere: {
        routes: edgeRoutes,
        server: `${new URL(url).protocol}//{slug}.${deploymentDomain}`,
        variables: { slug: 'my-endpoint' },
      },
    },
  );
}
