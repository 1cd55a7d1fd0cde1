// Waits for a signal to stop, from Ctrl-C or the system.
import type { Io, Signal } from '../../command.js';
import { type ExitCode, exitCode } from '../../exit-code.js';

interface End {
  /** Resolves on the first signal, with its exit code. */
  code: Promise<ExitCode>;
  /** Resolves on the second signal, which means: stop now. */
  hurried: Promise<void>;
  stop(): void;
}

const CODES: Readonly<Record<Signal, ExitCode>> = {
  SIGINT: exitCode.interrupted,
  SIGTERM: exitCode.ok,
  SIGHUP: exitCode.ok,
};

export function awaitEnd({ onSignal }: Pick<Io, 'onSignal'>): End {
  const stops: ((() => void) | undefined)[] = [];
  let hurry = () => {};
  const hurried = new Promise<void>(resolve => {
    hurry = resolve;
  });
  const code = new Promise<ExitCode>(resolve => {
    let isTold = false;
    for (const [signal, meaning] of Object.entries(CODES)) {
      const react = () => {
        if (isTold) hurry();
        isTold = true;
        resolve(meaning);
      };
      stops.push(onSignal?.(signal as Signal, react));
    }
  });
  return { code, hurried, stop: () => stops.forEach(stop => void stop?.()) };
}
