// What `svc dev` and `svc watch` need of their process: a terminal for the dashboard, and an orderly end.
import type { ServedStudio } from '../../../lib/studio/index.js';
import { type ExitCode, exitCode, type Io, type Signal } from '../../command.js';
import type { TerminalInput, TerminalOutput } from '../../dashboard/index.js';
import { canAsk } from '../../screen.js';

export interface Terminal {
  stdin: TerminalInput;
  stdout: TerminalOutput;
}

/** Null where only plain lines can be shown: the terminal must be interactive and able to be drawn on. */
export function findTerminal(io: Io): Terminal | null {
  const { stdin, stdout, env } = io;
  if (!canAsk(io) || env.TERM === 'dumb') return null;
  return canDraw(stdout) ? { stdin: stdin as TerminalInput, stdout } : null;
}

/** A terminal that reports changes to its size. */
function canDraw(stdout: Io['stdout']): stdout is TerminalOutput {
  return 'on' in stdout && 'off' in stdout;
}

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

/** Waits for a signal to stop, from Ctrl-C or the system. */
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

/**
 * The last resort: if the process ends without closing Studio, because it crashed or its terminal is gone, its file
 * and child processes are still removed. Returns a function that cancels this.
 */
export function sweepAtExit({ abandon }: Pick<ServedStudio, 'abandon'>): () => void {
  process.once('exit', abandon);
  return () => void process.off('exit', abandon);
}
