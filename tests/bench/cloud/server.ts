// A cloud in a process of its own, for the bench: its trainer only talks, as fast as it is told to. Started with a data
// folder and a base model's folder; says its address, and on `memory` how much it holds.
import { createCloud } from '../../../lib/cloud/index.js';
import { createLocalBackend } from '../../../lib/cloud/inference/local-backend.js';
import type { JobRunner } from '../../../lib/cloud/jobs/runner.js';
import { listenOnLoopback } from '../../../lib/http/index.js';

export interface ToServer {
  type: 'talk' | 'memory';
  /** Events a second, or 0 for as many as it can. */
  rate?: number;
  events?: number;
}

const [folder, modelFolder] = process.argv.slice(2) as [string, string];
let tell: ((events: number, rate: number) => Promise<void>) | null = null;

const runner: JobRunner = {
  start({ jobId }, onEvent) {
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
    tell = async (events, rate) => {
      const began = performance.now();
      for (let sent = 0; sent < events; ) {
        const due = rate === 0 ? events : Math.floor(((performance.now() - began) / 1000) * rate);
        for (; sent < Math.min(due, events); sent++) {
          const at = { sentAt: performance.timeOrigin + performance.now() };
          onEvent({ type: 'training.log', ...base(), step: ++step, loss: 1 / step, ...at });
        }
        await new Promise(resolve => setTimeout(resolve, 5));
      }
    };
    let end: () => void = () => {};
    const ended = new Promise<{ status: 'cancelled'; exitCode: 0; signal: null }>(resolve => {
      end = () => resolve({ status: 'cancelled', exitCode: 0, signal: null });
    });
    return { ended, cancel: end, pause: end, kill: end };
  },
};

let cloud: Awaited<ReturnType<typeof createCloud>> | undefined;
const listening = await listenOnLoopback({ fetch: request => cloud!.fetch(request) }, [0]);
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
});
await cloud.start();

process.on('message', async ({ type, rate = 0, events = 0 }: ToServer) => {
  const began = performance.now();
  if (type === 'talk') await tell!(events, rate);
  const { rss } = process.memoryUsage();
  process.send!({ type, rss, ms: performance.now() - began });
});
process.once('disconnect', () => process.exit());
process.send!({ type: 'ready', url: listening.url });
