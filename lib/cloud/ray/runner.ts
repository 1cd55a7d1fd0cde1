// Runs jobs on a Ray cluster. The queue stays in the cloud: Ray gets only attempts that fit.
import { type Clock, realClock } from '../../clock/index.js';
import { ApiError, type RunResources } from '../../contract/index.js';
import type { JobRun, JobRunner } from '../seams/runner.js';
import { describeAway, followAttempt, type RayDesk, type RayJobRun } from './attempt.js';
import type { RayClient, RayPackage } from './client.js';
import { findPlace, type ReadCluster, reserve } from './cluster.js';
import type { Submission } from './ray-responses.js';
import { needsEngine, type RayRun } from './submission.js';

interface RayRunnerOptions {
  client: RayClient;
  readCluster: ReadCluster;
  /** With or without our own engine. */
  readPackage(hasEngine: boolean): Promise<RayPackage>;
  log(line: { message: string; error?: unknown }): void;
  /** The cluster adds nodes on demand, so runs that do not fit now are submitted, too. */
  autoscaling?: boolean | undefined;
  clock?: Clock | undefined;
}

interface RayRunner extends Required<Pick<JobRunner, 'findObstacle' | 'close'>> {
  start(run: RayRun, desk: RayDesk): JobRun;
  attach(run: RayRun, desk: RayDesk): JobRun;
}

/** How long the cluster's figures may lag behind the runs it has. */
const LAG_MS = 15_000;
/** How many attempts may wait on an autoscaling cluster. */
const MOST_WAITING = 4;
/** How many times in a row Ray may fail to start a job's worker. */
const MOST_FAILED_STARTS = 3;

export function createRayRunner(options: RayRunnerOptions): RayRunner {
  const { client, readCluster, readPackage, log, autoscaling = false, clock = realClock } = options;
  const active = new Map<RayJobRun, RunResources>();
  const clearing = new Set<Promise<void>>();
  const closing = new AbortController();
  const failedStarts = new Map<string, number>();

  const unseen = () =>
    [...active]
      .filter(([{ claimedAt }]) => claimedAt === null || clock.elapsed() - claimedAt < LAG_MS)
      .map(([, resources]) => resources);

  async function describeWait({ resources }: RayRun, { status }: Submission): Promise<string> {
    const { problem, nodes } = await readCluster();
    if (problem !== null) return describeAway(problem);
    // Then the resources in use include its own. Multiple workers are placed later.
    const hasPlace = status === 'RUNNING' && (resources.workers ?? 1) === 1;
    const place = findPlace({ nodes }, resources);
    return hasPlace || place.fits ? 'Starting on the Ray cluster.' : place.waitsFor;
  }

  function follow(run: RayRun, desk: RayDesk, isNew: boolean): JobRun {
    const job = followAttempt(run, desk, isNew, {
      client,
      clock,
      log,
      closing: closing.signal,
      readPackage: () => readPackage(needsEngine(run)),
      describeWait: submission => describeWait(run, submission),
    });
    active.set(job, run.resources);
    const cleared = job.cleared.catch(error =>
      log({ message: `Job ${run.jobId}: could not clear Ray's list.`, error }),
    );
    clearing.add(cleared);
    void cleared.then(() => clearing.delete(cleared));
    const ended = job.ended
      .then(({ unclaimed, ...ending }) => {
        countStart(run.jobId, unclaimed);
        return ending;
      })
      .finally(() => active.delete(job));
    return { ended, cancel: job.cancel, pause: job.pause, kill: job.kill, detach: job.detach };
  }

  function countStart(jobId: string, unclaimed: string | undefined): void {
    if (unclaimed === undefined) {
      failedStarts.delete(jobId);
      return;
    }
    const count = (failedStarts.get(jobId) ?? 0) + 1;
    failedStarts.set(jobId, count);
    if (count < MOST_FAILED_STARTS) return;
    failedStarts.delete(jobId);
    throw new ApiError(
      'engine_unavailable',
      `The Ray cluster could not start this job's worker: ${unclaimed} See "svc cloud logs".`,
    );
  }

  return {
    start: (run, desk) => follow(run, desk, true),
    attach: (run, desk) => follow(run, desk, false),
    async findObstacle({ resources }, before) {
      const { problem, nodes } = await readCluster();
      if (problem !== null) return { reason: describeAway(problem), passes: false };
      const taken = [...unseen(), ...before];
      const now = findPlace({ nodes }, resources);
      const place = now.fits ? findPlace({ nodes: reserve(nodes, taken) }, resources) : now;
      if (place.fits || (autoscaling && taken.length < MOST_WAITING)) return null;
      return { reason: place.waitsFor, passes: place.isPossible };
    },
    async close() {
      closing.abort();
      await Promise.allSettled(clearing);
    },
  };
}
