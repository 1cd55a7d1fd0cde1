// Work that a signal ends early, as Ctrl-C does.
import { type ExitCode, exitCode, type Io, type Signal } from '../../command.js';

/** Runs work that a signal can stop. */
export async function interruptible(
  { onSignal }: Pick<Io, 'onSignal'>,
  signals: readonly Signal[],
  work: (signal: AbortSignal) => Promise<void>,
): Promise<ExitCode> {
  const interrupted = new AbortController();
  const stops = signals.map(name => onSignal?.(name, () => interrupted.abort()));
  try {
    await work(interrupted.signal);
    return exitCode.ok;
  } catch (error) {
    if (interrupted.signal.aborted) return exitCode.interrupted;
    throw error;
  } finally {
    for (const stop of stops) stop?.();
  }
}
