// A queue of ten thousand jobs on a thousand nodes: nothing starves, limits are kept, and what can never run keeps nobody
// waiting. The cluster is simulated; the queue, its database and its events are real.
import { expect, it, onTestFinished } from 'vitest';
import type { RunResources } from '../../../lib/contract/index.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { createRandom } from '../../support/random.js';
import { until } from '../../support/until.js';
import { fillQueue } from './fill-queue.js';
import { createSimulatedCluster } from './simulated-cluster.js';
import { MODEL, openTestJobs } from './test-jobs.js';

const NODES = 1000;
const QUEUED = 10_000;
/** How many of them run in this test; `npm run bench -- scale` runs all. */
const RUN = 600;
const SLOTS = 200;
/** How many later jobs may start before one that waits for others to end. */
const MOST_PASSES = 64;

it('starts every job that has a place in its turn, and no more than fit', {
  timeout: JOURNEY_TIMEOUT_MS,
}, async () => {
  const nodes = Array.from({ length: NODES }, (_, i) => ({ cpus: 1, gpus: i % 10 === 0 ? 1 : 0 }));
  const cluster = createSimulatedCluster(nodes);
  const { next: random } = createRandom(7);
  // Most of the GPUs at once, which are never free by chance; each of its own kind.
  const gangs = new Map([100, 250, 400].map((at, i) => [at, { gpus: 1, workers: 90 + i }]));
  const impossible = new Set([0, 50, 300]);
  const wanted = Array.from({ length: QUEUED }, (_, i): RunResources => {
    if (impossible.has(i)) return { gpus: 8 };
    return gangs.get(i) ?? (random() < 0.3 ? { gpus: 1 } : {});
  });
  const cloud = await openTestJobs(cluster, { concurrency: SLOTS });
  onTestFinished(() => cloud.close());
  const ids = await fillQueue(cloud, MODEL, wanted);
  const placeOf = new Map(ids.map((id, i) => [id, i]));
  const ends: Promise<void>[] = [];
  const endOne = () => {
    const runs = [...cluster.running.values()];
    const run = runs[Math.floor(random() * runs.length)];
    if (run) ends.push(run.end(1));
  };
  cluster.onStart = () => {
    if (cluster.running.size > SLOTS / 2) endOne();
  };
  // The cluster gets emptier while a gang waits.
  const timer = setInterval(endOne, 1);
  await cloud.jobs.start();
  await until(() => cluster.started.length >= RUN, { progress: () => cluster.started.length }).toBe(true);
  clearInterval(timer);
  cluster.onStart = () => {};

  expect(cloud.log.filter(line => 'error' in line && line.error)).toEqual([]);
  expect(cluster.most).toBeLessThanOrEqual(SLOTS);
  const positions = new Map(cluster.started.map((id, position) => [id, position]));
  expect(positions.size).toBe(cluster.started.length);
  for (const at of impossible) expect(positions.has(ids[at]!)).toBe(false);
  for (const at of gangs.keys()) {
    const position = positions.get(ids[at]!);
    expect(position).toBeDefined();
    const later = cluster.started.slice(0, position).filter(id => placeOf.get(id)! > at);
    // Some that get their slot after it start before it.
    expect(later.length).toBeLessThanOrEqual(2 * MOST_PASSES);
  }
  // Within a kind, slots are given in the order of the queue.
  for (const isKind of [
    (i: number) => wanted[i]!.gpus === undefined,
    (i: number) => wanted[i]!.gpus === 1 && !gangs.has(i),
  ]) {
    const started = new Set(cluster.started.map(id => placeOf.get(id)!).filter(isKind));
    const kind = wanted.map((_, i) => i).filter(isKind);
    // As many as there are slots may have theirs, and start in any order.
    expect(kind.slice(0, Math.max(0, started.size - SLOTS)).filter(i => !started.has(i))).toEqual([]);
    expect(kind.slice(started.size + SLOTS).filter(i => started.has(i))).toEqual([]);
  }
  const waits = new Map(cloud.jobs.listPlaces().waits.map(({ jobId, reason }) => [jobId, reason]));
  for (const at of impossible) expect(waits.get(ids[at]!)).toBe('Waiting for what no node has.');
  await Promise.all(ends);
});
