// Waits to be told to end, by Ctrl-C or by the system.
import type { Io, Signal } from '../../command.js';
import { type ExitCode, exitCode } from '../../exit-code.js';

export interface End {
  /** Resolves at the first signal, with the exit code that it means. */
  code: Promise<ExitCode>;
  /** Resolves at the second: whoever sends it does not want to wait. */
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
