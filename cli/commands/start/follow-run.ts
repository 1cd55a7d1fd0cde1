// Follows a run until it ends, the user interrupts, or the output is closed. After an interruption the job
// keeps running, unless the user who pressed Ctrl-C chooses to cancel it. While the job waits, reports what
// it is waiting for.
import { shortId } from '../../../lib/console/index.js';
import { type Job, type JobEvent, needsProgram } from '../../../lib/contract/index.js';
import { onStudioGone, type Run, reportJob, type Session } from '../../../lib/sdk/index.js';
import { type ExitCode, exitCode, type Io } from '../../command.js';
import { printLine } from '../../print.js';
import { canAsk } from '../../screen.js';
import { askYesNo } from '../terminal/ask.js';
import { reportWaiting, type WaitReporter } from '../training/waiting.js';
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
  /** Whether a run was left because no one reads the output anymore. */
  isUnread(): boolean;
}

export function createFollower(session: Session, ways: Ways): Follower {
  const { io, reporter } = ways;
  let teller: WaitReporter | undefined;
  let isUnread = false;
  const leaveUnread = ({ job }: Run) => {
    isUnread = true;
    printLine(io.stderr, `The output was closed. ${describeLeft(job)}`, io.env);
    return exitCode.failure;
  };
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
        return await followRun(run, ways, leaveUnread);
      } finally {
        teller.stop();
      }
    },
    isUnread: () => isUnread,
  };
}

async function followRun(
  run: Run,
  { io, reporter, outputClosed }: Ways,
  leaveUnread: (run: Run) => ExitCode,
): Promise<ExitCode> {
  const ended = new AbortController();
  const interruption = awaitInterruption(run, io, reporter, ended.signal);
  const outcome = run.wait().then(result => {
    ended.abort();
    reporter.onEnd(result);
    if (result.status === 'completed') return exitCode.ok;
    return interruption.wantsCancel() ? exitCode.interrupted : exitCode.failure;
  });
  const unread = outputClosed.then(() => (ended.signal.aborted ? exitCode.failure : leaveUnread(run)));
  try {
    return await Promise.race([outcome, interruption.left, unread]);
  } finally {
    ended.abort();
    interruption.stop();
    reporter.clear();
  }
}

export function describeLeft(job: Job): string {
  const short = shortId(job.id);
  if (needsProgram(job))
    return `The job waits for rewards from this trainer. Go on with "svc start --attach ${short}"; stop it with "svc jobs cancel ${short}".`;
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
    reporter.note(describeLeft(run.job));
    leave(exitCode.interrupted);
  }

  async function onInterrupt(): Promise<void> {
    if (state !== 'following' || !canAsk(io)) return goAway();
    state = 'asking';
    reporter.hold();
    const answer = await askYesNo(
      `\nCancel the job? Press Ctrl-C again to leave it ${needsProgram(run.job) ? 'waiting' : 'running'}. [y/N] `,
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
