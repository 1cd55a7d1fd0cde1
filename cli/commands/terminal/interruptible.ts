// Work that a signal ends early, as Ctrl-C does.
import { type ExitCode, exitCode, type Io } from '../../command.js';

/** Calls back at the first signal to end. A second one ends the process as usual. Returns how to stop listening. */
export function onFirstSignal({ onSignal }: Pick<Io, 'onSignal'>, react: () => void): () => void {
  const stops: (() => void)[] = [];
  const ignore = () => {
    for (const stop of stops.splice(0)) stop();
  };
  const onFirst = () => {
    ignore();
    react();
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const stop = onSignal?.(name, onFirst);
    if (stop) stops.push(stop);
  }
  return ignore;
}

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
