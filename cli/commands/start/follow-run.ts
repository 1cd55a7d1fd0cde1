// Follows a run to its end, or until told to stop: the job then keeps running, unless the user who pressed Ctrl-C asks to
// cancel it. Also stops when the output is closed.
import { shortId } from '../../../lib/console/index.js';
import { onStudioGone, type Run } from '../../../lib/sdk/index.js';
import type { Io } from '../../command.js';
import { type ExitCode, exitCode } from '../../exit-code.js';
import { printLine } from '../../print.js';
import { askYesNo } from '../terminal/ask.js';
import { canAsk } from '../terminal/screen.js';
import type { Reporter } from './reporter.js';

export async function followRun(
  run: Run,
  io: Io,
  reporter: Reporter,
  outputClosed: Promise<void>,
): Promise<ExitCode> {
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
  let state: 'following' | 'asking' | 'cancelling' = 'following';

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
    state = answer === 'yes' ? 'cancelling' : 'following';
    if (answer !== 'yes') return;
    reporter.note('Cancelling the job…');
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
    wantsCancel: () => state === 'cancelling',
    stop() {
      for (const stop of stops) stop?.();
    },
  };
}
