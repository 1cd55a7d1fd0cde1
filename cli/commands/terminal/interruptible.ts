// Work that a signal ends early, as Ctrl-C does.
import { onFirstOf } from '../../../lib/system/index.js';
import { type ExitCode, exitCode, type Io } from '../../command.js';

/** Calls back at the first signal to end. A second one ends the process as usual. Returns how to stop listening. */
export const onFirstSignal = ({ onSignal }: Pick<Io, 'onSignal'>, react: () => void): (() => void) =>
  onSignal ? onFirstOf(onSignal, ['SIGINT', 'SIGTERM', 'SIGHUP'], react) : () => {};

/** Runs work that a signal can stop. */
export async function interruptible(
  io: Pick<Io, 'onSignal'>,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<ExitCode> {
  const interrupted = new AbortController();
  const ignore = onFirstSignal(io, () => interrupted.abort());
  try {
    await work(interrupted.signal);
    return exitCode.ok;
  } catch (error) {
    if (interrupted.signal.aborted) return exitCode.interrupted;
    throw error;
  } finally {
    ignore();
  }
}
