// A cluster of many nodes that trains nothing: it gives attempts a place, as Ray would, and ends them when it is told to.
// It throws as soon as a node has more than it can hold.
import type { AttemptDesk, JobRun, JobRunner } from '../../../lib/cloud/seams/runner.js';
import type { RunDocument, RunResources } from '../../../lib/contract/index.js';
import type { EngineEvent } from '../../../lib/engine/index.js';

interface Node {
  cpus: number;
  gpus: number;
}

interface SimulatedRun {
  jobId: string;
  /** Reports this many more steps, and that it has completed. */
  end(steps: number): Promise<void>;
}

export interface SimulatedCluster extends JobRunner {
  readonly running: Map<string, SimulatedRun>;
  /** The jobs in the order in which they started. */
  readonly started: string[];
  /** The most that ran at once. */
  readonly most: number;
  /** Called after each start. */
  onStart: () => void;
}

const toNeed = ({ cpus = 1, gpus = 0 }: RunResources): Node => ({ cpus, gpus });

export function createSimulatedCluster(nodes: readonly Node[]): SimulatedCluster {
  const free = nodes.map(node => ({ ...node }));
  /** As with Ray, what needs no GPU leaves nodes that have one alone; so the order of starts does not matter. */
  const fits = (node: Node, at: number, need: Node) =>
    node.cpus >= need.cpus && (need.gpus > 0 ? node.gpus >= need.gpus : nodes[at]!.gpus === 0);

  /** Takes a node for each worker; null, and takes nothing, if one has no place. */
  function take(on: Node[], resources: RunResources): (() => void) | null {
    const need = toNeed(resources);
    const taken: Node[] = [];
    const giveBack = () => {
      for (const node of taken) {
        node.cpus += need.cpus;
        node.gpus += need.gpus;
      }
    };
    let at = 0;
    for (let worker = 0; worker < (resources.workers ?? 1); worker++) {
      while (at < on.length && !fits(on[at]!, at, need)) at++;
      const node = on[at];
      if (!node) {
        giveBack();
        return null;
      }
      node.cpus -= need.cpus;
      node.gpus -= need.gpus;
      taken.push(node);
    }
    return giveBack;
  }

  function start({ jobId, resources }: RunDocument, desk: AttemptDesk): JobRun {
    const giveBack = take(free, resources);
    if (!giveBack) throw new Error(`There is no place for job ${jobId}.`);
    let isEnding = false;
    let finish: (end: Awaited<JobRun['ended']>) => void;
    const ended = new Promise<Awaited<JobRun['ended']>>(resolve => {
      finish = resolve;
    });
    const leave = (status: 'completed' | 'cancelled' | 'paused') => {
      if (!cluster.running.delete(jobId)) return;
      giveBack();
      finish({ status, exitCode: 0, signal: null });
    };
    const tell = (type: string, fields: object) =>
      desk.record({ type, jobId, timestamp: new Date().toISOString(), ...fields } as unknown as EngineEvent);
    cluster.running.set(jobId, {
      jobId,
      async end(steps) {
        if (isEnding) return;
        isEnding = true;
        for (let step = 1; step <= steps; step++) await tell('training.log', { step, loss: 1 / step });
        await tell('training.completed', { artifacts: [], metrics: {} });
        leave('completed');
      },
    });
    cluster.started.push(jobId);
    cluster.most = Math.max(cluster.most, cluster.running.size);
    queueMicrotask(() => cluster.onStart());
    const stop = () => leave('paused');
    return { ended, cancel: () => leave('cancelled'), pause: stop, kill: stop };
  }

  const cluster = {
    running: new Map<string, SimulatedRun>(),
    started: [] as string[],
    most: 0,
    onStart: () => {},
    start,
    async findObstacle({ resources }: { resources: RunResources }, before: readonly RunResources[]) {
      const taken = before.map(earlier => take(free, earlier));
      const place = take(free, resources);
      for (const giveBack of [place, ...taken]) giveBack?.();
      if (place) return null;
      const empty = nodes.map(node => ({ ...node }));
      const passes = take(empty, resources) !== null;
      return { reason: passes ? 'Waiting for others to end.' : 'Waiting for what no node has.', passes };
    },
  };
  return cluster;
}
