// Follows a run until it ends, the user interrupts, or the output is closed. After an interruption the job
// keeps running, unless the user who pressed Ctrl-C chooses to cancel it. While the job waits, reports what
// it is waiting for.
import { type Clock, realClock } from '../../../lib/clock/index.js';
import { shortId } from '../../../lib/console/index.js';
import type { Job, JobEvent } from '../../../lib/contract/index.js';
import { onStudioGone, type Run, reportJob, type Session } from '../../../lib/sdk/index.js';
import { type ExitCode, exitCode, type Io } from '../../command.js';
import { printLine } from '../../print.js';
import { canAsk } from '../../screen.js';
import { askHealth, describeJobCounts } from '../cloud/local-cloud.js';
import { askYesNo } from '../terminal/ask.js';
import type { Reporter } from './reporter.js';

export interface Ways {
  io: Io;
  reporter: Reporter;
  outputClosed: Promise<void>;
}

interface Follower {
  /** Called for each event of a followed run. */
  onEvent(event: JobEvent): void;
  follow(run: Run, isAttached?: boolean): Promise<ExitCode>;
}

export function createFollower(session: Session, ways: Ways): Follower {
  const { io, reporter } = ways;
  let teller: WaitReporter | undefined;
  return {
    onEvent(event) {
      teller?.noteEvent();
      reporter.onEvent(event);
    },
    async follow(run, isAttached) {
      reporter.onQueued(run.job, isAttached);
      reportJob(run.job.id);
      teller = reportWaiting(run.job, session, reporter.note, io.clock);
      try {
        return await followRun(run, ways);
      } finally {
        teller.stop();
      }
    },
  };
}

async function followRun(run: Run, { io, reporter, outputClosed }: Ways): Promise<ExitCode> {
  const ended = new AbortController();
  const interruption = awaitInterruption(run, io, reporter, ended.signal);
  const outcome = run.wait().then(result => {
    ended.abort();
    reporter.onEnd(result);
    if (result.status === 'completed') return exitCode.ok;
    return interruption.wantsCancel() ? exitCode.interrupted : exitCode.failure;
  });
  try {
    return await Promise.race([outcome, interruption.left, outputClosed.then(() => leaveUnread(run, io))]);
  } finally {
    ended.abort();
    interruption.stop();
    reporter.clear();
  }
}

function leaveUnread({ job: { id } }: Run, { stderr, env }: Io): ExitCode {
  printLine(stderr, `The output was closed. ${describeLeft(id)}`, env);
  return exitCode.failure;
}

function describeLeft(id: string): string {
  const short = shortId(id);
  return `The job is still running. Follow it with "svc jobs logs ${short} --follow"; stop it with "svc jobs cancel ${short}".`;
}

interface Interruption {
  /** Resolves when told to stop following. */
  left: Promise<ExitCode>;
  wantsCancel(): boolean;
  stop(): void;
}

function awaitInterruption(run: Run, io: Io, reporter: Reporter, ended: AbortSignal): Interruption {
  let leave: (code: ExitCode) => void = () => {};
  const left = new Promise<ExitCode>(resolve => {
    leave = resolve;
  });
  let state: 'following' | 'asking' | 'canceling' = 'following';

  function goAway(): void {
    reporter.note(describeLeft(run.job.id));
    leave(exitCode.interrupted);
  }

  async function onInterrupt(): Promise<void> {
    if (state !== 'following' || !canAsk(io)) return goAway();
    state = 'asking';
    reporter.hold();
    const answer = await askYesNo(
      '\nCancel the job? Press Ctrl-C again to leave it running. [y/N] ',
      io,
      ended,
    );
    reporter.release();
    if (answer === 'interrupted') return goAway();
    state = answer === 'yes' ? 'canceling' : 'following';
    if (answer !== 'yes') return;
    reporter.note('Canceling the job…');
    await run.cancel().catch((error: Error) => {
      state = 'following';
      reporter.note(`! Could not cancel the job: ${error.message}`);
    });
  }

  const stops = [
    io.onSignal?.('SIGINT', () => void onInterrupt()),
    io.onSignal?.('SIGTERM', goAway),
    io.onSignal?.('SIGHUP', goAway),
    onStudioGone(goAway),
  ];
  return {
    left,
    wantsCancel: () => state === 'canceling',
    stop() {
      for (const stop of stops) stop?.();
    },
  };
}

interface WaitReporter {
  /** Called when an event of the job arrives. */
  noteEvent(): void;
  stop(): void;
}

const PATIENCE_MS = 2000;

/**
 * Reports why a job does not start, or why its training has paused. Checks whenever there has been no event
 * for a while. @internal
 */
export function reportWaiting(
  { id }: Job,
  session: Session,
  note: (line: string) => void,
  clock: Clock = realClock,
): WaitReporter {
  let isOver = false;
  let isHeard = false;
  let lastText: string | null = null;
  let timer = clock.after(PATIENCE_MS, ask);

  async function ask(): Promise<void> {
    const text = isHeard ? null : await describeWaiting(id, session).catch(() => lastText);
    if (isOver) return;
    if (text !== null && text !== lastText && !isHeard) note(text);
    lastText = text;
    isHeard = false;
    timer = clock.after(PATIENCE_MS, ask);
  }

  return {
    noteEvent() {
      isHeard = true;
    },
    stop() {
      isOver = true;
      timer.stop();
    },
  };
}

/** Null if the job is not waiting. */
async function describeWaiting(id: string, session: Session): Promise<string | null> {
  const project = await session.projectClient();
  const { job } = await project.getJob(id);
  if (job.status === 'queued') return describeQueue(job, session);
  return job.waitingFor && toLine(job.waitingFor);
}

async function describeQueue({ id, waitingFor }: Job, session: Session): Promise<string | null> {
  const { url, secret } = await session.reach();
  const health = secret === null ? null : await askHealth({ url, secret });
  // For a plain local queue, the health check says more than the job itself.
  const isPlainQueue = health?.status !== 'degraded' && !health?.cluster;
  if (waitingFor && !isPlainQueue) return toLine(waitingFor);
  if (secret === null) {
    const { jobs } = await (await session.projectClient()).listJobs();
    return toText(countOthers(jobs.filter(job => job.id !== id)), '');
  }
  if (health === null) return null;
  // The local cloud has one queue for all projects.
  const { running, queued } = health.jobs ?? { running: 0, queued: 1 };
  const hint = ' To run more at once, run "svc cloud stop", then "svc cloud start --concurrency N".';
  return toText({ running, queued: Math.max(0, queued - 1) }, health.cluster ? '' : hint);
}

const toLine = (reason: string) => (/^(?:Waiting|Starting) /.test(reason) ? reason : `Waiting: ${reason}`);

interface Others {
  running: number;
  queued: number;
}

function countOthers(jobs: readonly Pick<Job, 'status'>[]): Others {
  const count = (status: Job['status']) => jobs.filter(job => job.status === status).length;
  return { running: count('running'), queued: count('queued') };
}

function toText(others: Others, hint: string): string {
  const counts = describeJobCounts(others);
  return counts === null ? 'Waiting in the queue.' : `Waiting for ${counts} on this cloud.${hint}`;
}
