// Calls the command line in process as a terminal would: with a width, with keys that are typed, with signals.
import { PassThrough } from 'node:stream';
import type { Command, ExitCode, Io, Signal } from '../../../cli/command.js';
import { main } from '../../../cli/main.js';
import type { Clock } from '../../../lib/clock/index.js';
import { inTime, untilFound } from '../../support/in-time.js';
// What commands load at their first call, loaded before the first test instead of within its time.
import '../../../lib/cloud/index.js';
import '../../../lib/console/index.js';
import '../../../lib/sdk/index.js';

export interface TerminalOptions {
  cwd?: string;
  env?: Io['env'];
  /** Both ends are a terminal. */
  isTTY?: boolean;
  columns?: number;
  /** What is piped in, to its end. */
  piped?: string;
  /** Each signal comes as soon as the command listens for it. */
  isInterrupted?: boolean;
  /** In place of svc's own. */
  commands?: Command[];
  clock?: Clock;
}

export interface Called {
  exitCode: ExitCode;
  stdout: string;
  stderr: string;
}

export type RunningCall = ReturnType<typeof startCli>;

/** Starts a command and lets the test type. */
export function startCli(
  argv: string[],
  { cwd = '/', env = {}, isTTY = false, columns, piped, isInterrupted, commands, clock }: TerminalOptions,
) {
  const printed = { stdout: '', stderr: '' };
  const readers = new Set<() => void>();
  const listeners = new Map<Signal, Set<() => void>>();
  const closed = new Set<() => void>();
  const stdin = Object.assign(new PassThrough(), { isTTY, setRawMode: () => stdin });
  if (piped !== undefined) stdin.end(piped);
  const createOutput = (name: keyof typeof printed) => ({
    isTTY,
    columns,
    write: (chunk: string | Uint8Array) => {
      printed[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      for (const look of readers) look();
    },
  });
  const io: Io = {
    stdout: createOutput('stdout'),
    stderr: createOutput('stderr'),
    env,
    cwd,
    ...(clock && { clock }),
    stdin,
    onSignal(name, react) {
      const all = listeners.get(name) ?? new Set();
      listeners.set(name, all.add(react));
      if (isInterrupted) react();
      return () => all.delete(react);
    },
    onOutputClosed(react) {
      closed.add(react);
      return () => closed.delete(react);
    },
  };
  const ended: Promise<Called> = main(argv, io, commands).then(exitCode => ({ exitCode, ...printed }));
  return {
    /** Its end, however long it is silent: the test's own time is the limit. */
    ended,
    /** Its end, as long as it prints something now and then. */
    get done(): Promise<Called> {
      const length = () => printed.stdout.length + printed.stderr.length;
      return inTime(ended, { progress: length, beside: () => ({ argv, ...printed }) });
    },
    /** What was printed so far. */
    get stdout() {
      return printed.stdout;
    },
    get stderr() {
      return printed.stderr;
    },
    type: (keys: string) => void stdin.write(keys),
    signal: (name: Signal) => [...(listeners.get(name) ?? [])].forEach(react => void react()),
    /** No one reads stdout anymore. */
    closeOutput: () => [...closed].forEach(react => void react()),
    /** Resolves when stdout holds the text so often. */
    async shown(text: string, times = 1) {
      const on = (look: () => void) => {
        readers.add(look);
        return () => readers.delete(look);
      };
      await untilFound(() => printed.stdout.split(text).length > times, { on, beside: () => printed });
    },
  };
}

/** Nobody types: where there is no terminal, nothing is piped in unless it is given. */
export function callCli(argv: string[], options: TerminalOptions = {}): Promise<Called> {
  return startCli(argv, options.isTTY ? options : { piped: '', ...options }).done;
}
