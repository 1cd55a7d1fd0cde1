// A cloud's jobs with a runner that is watched, and with the door for workers elsewhere on loopback.
import { realClock } from '../../../lib/clock/index.js';
import type { CloudLogLine } from '../../../lib/cloud/deps.js';
import { createRunApi } from '../../../lib/cloud/runs/run-api.js';
import type { AttemptDesk, JobRun, JobRunner, RemoteAttempt } from '../../../lib/cloud/seams/runner.js';
import type { RunDocument } from '../../../lib/contract/index.js';
import { listen } from '../../../lib/http/index.js';
import { openTestJobs, type TestJobs } from '../jobs/test-jobs.js';

/** One attempt, as it crosses the seam. */
export interface WatchedRun {
  document: RunDocument;
  desk: AttemptDesk;
  run: JobRun;
  isAttached: boolean;
  /** What it has reported itself: each resolves when it is recorded. */
  reports: Promise<void>[];
  /** If it was handed to a worker elsewhere. */
  remote: RemoteAttempt | null;
  /** How it ended; null before. */
  ending: Awaited<JobRun['ended']> | null;
}

export interface RunHost
  extends Pick<ReturnType<typeof createWatch>, 'runs' | 'onNext' | 'holdNext' | 'end'> {
  test: TestJobs;
  url: string;
  /** The same cloud after it was stopped, with another runner. */
  reopen(runner: JobRunner): Promise<RunHost>;
  close(): Promise<void>;
}

const LEASE_TIMES = { leaseSeconds: 60, reportSeconds: 0.1 };

export async function openRunHost(runner: JobRunner, modelFolder: string): Promise<RunHost> {
  let fetchRun: (request: Request) => Promise<Response> = async () => new Response(null, { status: 503 });
  const door = await listen({ fetch: request => fetchRun(request) }, { ports: [0] });
  const watch = createWatch();
  const options = { modelFolder, workerUrl: door.url, leaseTimes: LEASE_TIMES, clock: realClock };
  const test = await openTestJobs(watch.wrap(runner), options);
  return toHost(test);

  async function toHost(opened: TestJobs): Promise<RunHost> {
    const deps = { log: (line: CloudLogLine) => opened.log.push(line) };
    const api = createRunApi({ ...opened.jobs.remote, guard: () => {}, deps });
    fetchRun = async request => {
      if (request.url.endsWith('/report')) await watch.pass(await isAboutSteps(request));
      return (await api(request)) ?? new Response(null, { status: 404 });
    };
    await opened.jobs.start();
    return {
      ...watch,
      test: opened,
      url: door.url,
      async reopen(next) {
        watch.end();
        return toHost(await opened.reopen(watch.wrap(next)));
      },
      async close() {
        watch.end();
        await opened.close();
        await door.close(0);
      },
    };
  }
}

async function isAboutSteps(request: Request): Promise<boolean> {
  const { events } = (await request.clone().json()) as { events: { type: string }[] };
  return events.some(({ type }) => type === 'training.log');
}

function createWatch() {
  const runs: WatchedRun[] = [];
  let meddle: ((watched: WatchedRun) => void) | null = null;
  let hold: { onHeld(watched: WatchedRun): void; released: Promise<void>; release(): void } | null = null;

  /** Waits while the attempt is held. */
  async function pass(isStep: boolean): Promise<void> {
    if (!hold || !isStep) return;
    hold.onHeld(runs.at(-1)!);
    await hold.released;
  }

  function watchDesk(desk: AttemptDesk, watched: Pick<WatchedRun, 'remote' | 'reports'>): AttemptDesk {
    return {
      ...desk,
      record(event) {
        const recorded = pass(event.type === 'training.log').then(() => desk.record(event));
        watched.reports.push(recorded);
        return recorded;
      },
      async admit() {
        watched.remote = await desk.admit();
        return watched.remote;
      },
    };
  }

  function follow(start: JobRunner['start'], isAttached: boolean): JobRunner['start'] {
    return (document, given) => {
      const atFirst: Partial<WatchedRun> = { document, isAttached, reports: [], remote: null, ending: null };
      const watched = atFirst as WatchedRun;
      watched.desk = watchDesk(given, watched);
      watched.run = start(document, watched.desk);
      watched.run.ended.then(
        ending => {
          watched.ending = ending;
        },
        () => {},
      );
      runs.push(watched);
      const now = meddle;
      meddle = null;
      now?.(watched);
      return watched.run;
    };
  }

  return {
    runs,
    pass,
    wrap: (runner: JobRunner): JobRunner => ({
      ...runner,
      start: follow(runner.start.bind(runner), false),
      ...(runner.attach && { attach: follow(runner.attach.bind(runner), true) }),
    }),
    /** Called once, as soon as the next attempt has started. */
    onNext(given: (watched: WatchedRun) => void) {
      meddle = given;
    },
    /** From its first step on, no report of the next attempt, which is `held` then, is answered until `release`. */
    holdNext() {
      let release = () => {};
      const released = new Promise<void>(resolve => {
        release = () => {
          hold = null;
          resolve();
        };
      });
      const held = new Promise<WatchedRun>(onHeld => {
        hold = { onHeld, released, release };
      });
      return { held, release };
    },
    /** Nothing is held anymore. */
    end: () => hold?.release(),
  };
}
