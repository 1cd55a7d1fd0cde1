// Studio's user interface in its terminal, and how both shut down.
import type { OpenEventSource, StudioClient } from '../../../lib/client/index.js';
import type { Location } from '../../../lib/console/index.js';
import type { TrainStatus } from '../../../lib/contract/index.js';
import type { LogLine } from '../../../lib/http/index.js';
import type { Session } from '../../../lib/sdk/index.js';
import type { Studio } from '../../../lib/studio/index.js';
import { keepResult } from '../../../lib/system/index.js';
import { type ExitCode, exitCode, type Io, type OptionValues, type Signal } from '../../command.js';
import type { TerminalInput, TerminalOutput } from '../../dashboard/index.js';
import { printLine } from '../../print.js';
import { canAsk } from '../../screen.js';

export interface Face {
  /** Shows one line about the current state. */
  note(line: string): void;
  /** The cloud has responded. */
  cloudAnswered(): void;
  /** Studio is up. Resolves once that is seen. */
  show(studio: ShownStudio): Promise<void>;
  onTrain(status: TrainStatus): void;
  /** An unexpected failure in Studio. */
  log(line: LogLine): void;
  /** Resolves when the user quits from the face itself; rejects when it fails. */
  readonly left: Promise<void>;
  /** Stops all output, since the terminal may be gone. Resolves when the terminal is restored. */
  close(): Promise<void>;
}

interface ShownStudio {
  /** Null if it does not listen on a port. */
  url: string | null;
  /** The identity in one line, for a face that never requests it. */
  caller?: () => Promise<string>;
  /** Why the project's entry file cannot be found, for a face that never requests the manifest. */
  entryFault?: () => Promise<string | null>;
  client: StudioClient;
  openEventSource: OpenEventSource;
  /** The dashboard's first view. */
  start?: Location;
}

/**
 * Plain lines, for a log or a terminal without the dashboard: its URL, the identity, and runs as they start and end.
 * Requests are not shown.
 */
export function createPlainFace({ stdout, stderr, env }: Io): Face {
  let isClosed = false;
  const note = (line: string) => {
    if (!isClosed) printLine(stdout, line, env);
  };
  return {
    note,
    cloudAnswered() {},
    async show({ url, caller, entryFault }) {
      note(`Studio is running at ${url}`);
      if (caller) note(await caller());
      const fault = (await entryFault?.()) ?? null;
      if (fault !== null) note(`! ${fault}`);
    },
    onTrain: status => note(describeTrain(status)),
    log(line) {
      if (!isClosed) printLine(stderr, describeFailure(line, env.SVC_DEBUG !== undefined), env);
    },
    left: new Promise(() => {}),
    async close() {
      isClosed = true;
    },
  };
}

function describeTrain({ running, jobId, exitCode }: TrainStatus): string {
  if (running) return 'Training started.';
  const job = jobId === null ? '' : `, job ${jobId}`;
  return exitCode === 0 ? `Training finished${job}.` : `Training exited with code ${exitCode}${job}.`;
}

/** An unexpected failure in Studio, for debugging. */
export function describeFailure({ method, path, requestId, error }: LogLine, isLong: boolean): string {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return `! ${method} ${path} failed (request ${requestId}): ${isLong ? (stack ?? message) : message}`;
}

/** Opens the session of a folder once, when it is first needed. */
export function openSessionFor(face: Face, folder: string, io: Io): () => Promise<Session> {
  return keepResult(async () => (await import('./session.js')).openSessionWith(face, folder, io));
}

/** The options that `svc dev` and `svc watch` share. */
export function dashboardOptions(values: OptionValues) {
  return {
    rings: values.notify === true,
    hasMouse: values['no-mouse'] !== true,
    hasShell: values.shell === true,
  };
}

export interface Terminal {
  stdin: TerminalInput;
  stdout: TerminalOutput;
}

/** Null if the terminal cannot show the dashboard: it must be interactive and support cursor movement. */
export function findTerminal(io: Io): Terminal | null {
  const { stdin, stdout, env } = io;
  if (!canAsk(io) || env.TERM === 'dumb') return null;
  return canDraw(stdout) ? { stdin: stdin as TerminalInput, stdout } : null;
}

/** Whether stdout is a terminal that reports size changes. */
function canDraw(stdout: Io['stdout']): stdout is TerminalOutput {
  return 'on' in stdout && 'off' in stdout;
}

interface End {
  /** Resolves on the first signal, with its exit code. */
  code: Promise<ExitCode>;
  /** Resolves on the second signal, which asks to stop immediately. */
  hurried: Promise<void>;
  stop(): void;
}

const CODES: Readonly<Record<Signal, ExitCode>> = {
  SIGINT: exitCode.interrupted,
  SIGTERM: exitCode.ok,
  SIGHUP: exitCode.ok,
};

/** Waits for a signal to stop, such as Ctrl-C. */
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
 * Keeps a Studio and its face open until a signal or the user ends them. If the process ends without closing Studio, because
 * it crashed or its terminal is gone, Studio's file and child processes are still removed.
 */
export async function keepOpen(
  studio: Pick<Studio, 'abandon' | 'close'>,
  face: Face,
  end: End,
  show: () => void | Promise<void>,
): Promise<ExitCode> {
  process.once('exit', studio.abandon);
  const dismissSweep = () => void process.off('exit', studio.abandon);
  try {
    await show();
    return await Promise.race([end.code, face.left.then(() => exitCode.ok)]);
  } finally {
    await face.close();
    await Promise.race([studio.close().then(dismissSweep), end.hurried]);
  }
}
