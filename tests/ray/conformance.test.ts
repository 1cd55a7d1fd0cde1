// What any runner and any backend must do, on a real Ray cluster.
import { expect, inject, vi } from 'vitest';
import { realClock } from '../../lib/clock/index.js';
import { createServingApi } from '../../lib/cloud/backends/door.js';
import { createTickets } from '../../lib/cloud/backends/tickets.js';
import {
  buildPackage,
  createClusterReader,
  createRayBackend,
  createRayClient,
  createRayRunner,
} from '../../lib/cloud/ray/index.js';
import { createModelReader } from '../../lib/cloud/runs/run-materials.js';
import type { JobRunner } from '../../lib/cloud/seams/runner.js';
import { startFileReader } from '../../lib/engine/index.js';
import { listen } from '../../lib/http/index.js';
import { findPackage, keepResult } from '../../lib/system/index.js';
import { type BackendUnderTest, describeBackend } from '../cloud/seams/describe-backend.js';
import { describeRunner } from '../cloud/seams/describe-runner.js';
import { PATIENCE_MS } from '../support/patience.js';

const log = () => {};
const WAIT = { timeout: 2 * PATIENCE_MS, interval: 500 };

const withEngine = keepResult(() => buildPackage(findPackage(), true));

async function makeRunner(): Promise<JobRunner> {
  const client = createRayClient(inject('cluster'));
  return createRayRunner({
    client,
    readCluster: createClusterReader(client, realClock),
    readPackage: hasEngine => (hasEngine ? withEngine() : buildPackage(findPackage(), false)),
    log,
  });
}

interface Replica {
  state: string;
  pid?: number;
}

async function openBackend(modelFolder: string): Promise<BackendUnderTest> {
  const cluster = inject('cluster');
  const client = createRayClient(cluster);
  const files = startFileReader();
  const readModel = createModelReader(files, modelFolder);
  const deps = { baseModel: { name: 'svc/tiny', folder: modelFolder }, log };
  let api: ReturnType<typeof createServingApi> = () => null;
  const door = await listen(
    { fetch: async request => (await api(request)) ?? new Response(null, { status: 404 }) },
    { ports: [0] },
  );
  const backend = createRayBackend({
    client,
    url: cluster.serveUrl,
    cloudUrl: door.url,
    tickets: createTickets('secret'),
    readPackage: withEngine,
    replicas: { min: 1, max: 1 },
    cpus: 1,
    weights: 'f32',
    log,
    patience: { firstMs: 50, longestMs: 1000, totalMs: WAIT.timeout },
  });
  api = createServingApi({ serving: backend.door, files, readModel, guard: () => {}, deps });

  async function findReplicas(): Promise<number[]> {
    const { applications } = await client.readServe();
    const replicas = (applications.svc?.deployments.engine?.replicas ?? []) as Replica[];
    return replicas.flatMap(({ state, pid }) => (state === 'RUNNING' && pid ? [pid] : []));
  }

  await vi.waitFor(async () => expect(await findReplicas()).toHaveLength(1), WAIT);
  // Looking for it takes longer than an answer.
  const pids = await findReplicas();
  return {
    backend,
    breakDown() {
      for (const pid of pids) process.kill(pid, 'SIGKILL');
    },
    async close() {
      await door.close(0);
      files.close();
    },
  };
}

describeRunner('a runner on Ray, by our own engine', makeRunner, {
  engine: 'node',
  hasRecord: true,
  learnsFromRewards: true,
  steps: 640,
});
// Before every change, the same is asked of PyTorch on this machine, and of our own engine on Ray.
describeRunner('a runner on Ray, by PyTorch', makeRunner, {
  engine: 'torch',
  learnsFromRewards: true,
  steps: 640,
  tags: ['long'],
});
describeBackend('a backend on Ray Serve', openBackend);
