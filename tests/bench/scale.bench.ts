// A queue of ten thousand jobs on a simulated cluster of a thousand nodes: how many jobs a second get a place and end, how
// many events a second are recorded meanwhile, and what a look at the queue and at the cluster costs as both grow.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Access } from '../../lib/cloud/auth/authorize.js';
import { createJobs } from '../../lib/cloud/jobs/index.js';
import { openLine } from '../../lib/cloud/jobs/waiting-jobs.js';
import { findPlace, reserve } from '../../lib/cloud/ray/cluster.js';
import { type Db, openDb } from '../../lib/cloud/store/db.js';
import type { ClusterNode, RunResources } from '../../lib/contract/index.js';
import { fillQueue } from '../cloud/jobs/fill-queue.js';
import { createSimulatedCluster, type SimulatedCluster } from '../cloud/jobs/simulated-cluster.js';
import { median } from './median.js';
import type { Row } from './table.js';

export const name = 'a queue of many jobs on a cluster of many nodes';

const JOBS = Number(process.env.SVC_BENCH_JOBS ?? 10_000);
const NODES = 1000;
const SLOTS = 1000;
const EVENTS = 10;
const REPEATS = 20;
const MODEL = 'svc/tiny';

export async function run(): Promise<Row[]> {
  const rows: Row[] = [];
  rows.push(await runAll());
  for (const jobs of [JOBS / 10, JOBS]) rows.push(await lookAtQueue(jobs));
  for (const nodes of [NODES / 10, NODES]) rows.push(lookAtNodes(nodes));
  return rows;
}

async function withJobs<T>(
  cluster: SimulatedCluster,
  wanted: readonly RunResources[],
  use: (given: { db: Db; jobs: ReturnType<typeof createJobs> }) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-scale-'));
  const db = await openDb(join(folder, 'cloud.db'));
  const deps = {
    folder,
    baseModel: { name: MODEL, folder: '/models/tiny' },
    concurrency: SLOTS,
    exposed: false,
    log: () => {},
    runner: cluster,
  };
  const jobs = createJobs(deps, db, {} as Access);
  try {
    const created_at = new Date().toISOString();
    await db.insertInto('orgs').values({ id: 'org-a', slug: 'org-a', name: 'A', created_at }).execute();
    await db
      .insertInto('projects')
      .values({ id: 'org-a/one', org_id: 'org-a', slug: 'one', name: 'One', created_at })
      .execute();
    await fillQueue({ db, jobs }, MODEL, wanted);
    return await use({ db, jobs });
  } finally {
    await jobs.close(0);
    await db.destroy();
    await rm(folder, { recursive: true });
  }
}

const toNodes = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ cpus: 1, gpus: i % 10 === 0 ? 1 : 0 }));
const toResources = (i: number): RunResources => (i % 20 === 0 ? { gpus: 1 } : {});

async function runAll(): Promise<Row> {
  const cluster = createSimulatedCluster(toNodes(NODES));
  const wanted = Array.from({ length: JOBS }, (_, i) => toResources(i));
  return withJobs(cluster, wanted, async ({ db, jobs }) => {
    const ends: Promise<void>[] = [];
    const done = new Promise<void>(resolve => {
      cluster.onStart = () => {
        if (cluster.started.length === JOBS) resolve();
        const [oldest] = cluster.running.values();
        if (oldest && cluster.running.size > SLOTS / 2) ends.push(oldest.end(EVENTS));
      };
    });
    // What waits for a GPU needs others to end.
    const timer = setInterval(() => {
      const [oldest] = cluster.running.values();
      if (oldest) ends.push(oldest.end(EVENTS));
    }, 5);
    const [began, cpu] = [performance.now(), process.cpuUsage()];
    await jobs.start();
    await done;
    clearInterval(timer);
    const seconds = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    const events = db.selectFrom('jobs').select(({ fn }) => fn.sum<number>('last_seq').as('count'));
    const { count } = await events.executeTakeFirstOrThrow();
    await Promise.all(ends);
    return {
      what: 'all jobs, one after the other',
      jobs: JOBS,
      nodes: NODES,
      'claims/s': JOBS / seconds,
      'events/s': count / seconds,
      'CPU %': (user + system) / 1e4 / seconds,
      'most at once': cluster.most,
    };
  });
}

async function lookAtQueue(count: number): Promise<Row> {
  const wanted = Array.from({ length: count }, (_, i) => toResources(i));
  return withJobs(createSimulatedCluster([]), wanted, async ({ db }) => {
    const times: number[] = [];
    for (let i = 0; i < REPEATS; i++) {
      const began = performance.now();
      const { line } = await openLine(db, () => false, null);
      while ((await line.next()) !== null) line.setAside();
      times.push(performance.now() - began);
    }
    return { what: 'a look at the queue', jobs: count, ms: median(times) };
  });
}

function lookAtNodes(count: number): Row {
  const share = (total: number) => ({ total, used: 0 });
  const nodes = Array.from({ length: count }, (_, i): ClusterNode => {
    const name = `node-${i}`;
    return {
      name,
      address: name,
      isHead: i === 0,
      cpus: share(4),
      gpus: share(i % 10 === 0 ? 1 : 0),
      memory: share(2 ** 34),
    };
  });
  const starting = Array.from({ length: 256 }, (_, i) => toResources(i));
  const times = Array.from({ length: REPEATS }, () => {
    const began = performance.now();
    findPlace({ nodes: reserve(nodes, starting) }, { gpus: 1 });
    return performance.now() - began;
  });
  return { what: 'a place for one more, with 256 runs starting', nodes: count, ms: median(times) };
}
