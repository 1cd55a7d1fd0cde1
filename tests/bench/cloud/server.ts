// A cloud in a process of its own, for the bench: its trainer only talks, as fast as it is told to. Started with a data
// folder and a base model's folder; says its address, and with each answer how much memory it holds.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCloud } from '../../../lib/cloud/app.js';
import { createLocalBackend } from '../../../lib/cloud/backends/local.js';
import type { JobRunner } from '../../../lib/cloud/seams/runner.js';
import { listen } from '../../../lib/http/index.js';

/** What a job's trainer shall say, once it is there. */
export interface ToServer {
  type: 'talk';
  jobId: string;
  events: number;
  /** Events a second, or 0 for as many as it can. */
  rate: number;
}

/** What the cloud's process took meanwhile. Delays are those of its event loop, in milliseconds. */
export interface Measured {
  rss: number;
  cpuMs: number;
  delay: { p50: number; p99: number; max: number };
}

type Talk = (events: number, rate: number) => Promise<void>;

const [folder, modelFolder] = process.argv.slice(2) as [string, string];
const RESOLUTION_MS = 5;
const trainers = new Map<string, Talk>();

const runner: JobRunner = {
  start({ jobId }, { record: onEvent }) {
    let step = 0;
    const base = () => ({ jobId, timestamp: new Date().toISOString() });
    onEvent({
      type: 'training.started',
      ...base(),
      model: 'bench',
      dataset: 'none',
      totalSteps: 1e6,
      trainableParameters: 1,
      trainTokens: 1,
    });
    trainers.set(jobId, async (events, rate) => {
      const began = performance.now();
      for (let sent = 0; sent < events; ) {
        const due = rate === 0 ? events : Math.floor(((performance.now() - began) / 1000) * rate);
        for (; sent < Math.min(due, events); sent++) {
          const at = { sentAt: performance.timeOrigin + performance.now() };
          onEvent({ type: 'training.log', ...base(), step: ++step, loss: 1 / step, ...at });
        }
        await sleep(5);
      }
    });
    let end: () => void = () => {};
    const ended = new Promise<{ status: 'cancelled'; exitCode: 0; signal: null }>(resolve => {
      end = () => resolve({ status: 'cancelled', exitCode: 0, signal: null });
    });
    return { ended, cancel: end, pause: end, kill: end };
  },
};

let cloud: Awaited<ReturnType<typeof createCloud>> | undefined;
const listening = await listen({ fetch: request => cloud!.fetch(request) }, { ports: [0] });
const log = ({ error }: { error?: unknown }) => error && console.error(error);
cloud = await createCloud({
  folder,
  version: 'bench',
  baseModel: { name: 'bench', folder: modelFolder },
  secret: 'bench',
  address: {
    url: listening.url,
    deploymentDomain: `localhost:${listening.port}`,
    names: ['localhost', '127.0.0.1'],
  },
  concurrency: 1,
  anonymous: 'open',
  exposed: false,
  runner,
  backend: createLocalBackend({ modelFolder, log }),
  log,
  stop: () => {},
});
await cloud.start();

process.on('message', async ({ type, jobId, rate, events }: ToServer) => {
  while (!trainers.has(jobId)) await sleep(5);
  const before = process.cpuUsage();
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  await trainers.get(jobId)!(events, rate);
  histogram.disable();
  const { user, system } = process.cpuUsage(before);
  // The histogram holds whole intervals, of which all but the delay was asked for.
  const toDelay = (ns: number) => Math.max(0, ns / 1e6 - RESOLUTION_MS);
  const delay = {
    p50: toDelay(histogram.percentile(50)),
    p99: toDelay(histogram.percentile(99)),
    max: toDelay(histogram.max),
  };
  const measured: Measured = { rss: process.memoryUsage().rss, cpuMs: (user + system) / 1000, delay };
  process.send!({ type, ...measured });
});
process.once('disconnect', () => process.exit());
process.send!({ type: 'ready', url: listening.url });
