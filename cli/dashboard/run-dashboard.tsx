// Runs the dashboard on a terminal: takes it over, lets Ink draw, and restores it.
import { Console } from 'node:console';
import { createWriteStream } from 'node:fs';
import { Writable } from 'node:stream';
import { type Instance, render } from 'ink';
import type { Clock } from '../../lib/clock/index.js';
import { bellSequence } from '../../lib/console/index.js';
import { App } from './app.js';
import { createDashboard, type Dashboard, type DashboardOptions } from './create-dashboard.js';
import {
  CLEAR,
  copySequence,
  createFullScreen,
  type FullScreen,
  type RawInput,
} from './terminal/full-screen.js';
import { readLook } from './terminal/look.js';

export type TerminalInput = NodeJS.ReadableStream & RawInput & { ref(): unknown; unref(): unknown };

export interface TerminalOutput {
  write(text: string): unknown;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  on(event: 'resize', react: () => void): unknown;
  off(event: 'resize', react: () => void): unknown;
}

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

interface DashboardIo {
  readonly stdin: TerminalInput;
  readonly stdout: TerminalOutput;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Calls back on a signal, which then no longer ends the process. Returns a function that unregisters. */
  readonly onSignal?: ((signal: Signal, react: () => void) => () => void) | undefined;
  /**
   * Calls back when the output is closed, which then no longer ends the process. Returns a function that
   * unregisters.
   */
  readonly onOutputClosed?: ((react: () => void) => () => void) | undefined;
}

export interface RunDashboardOptions extends Omit<DashboardOptions, 'copy' | 'ring'> {
  readonly io: DashboardIo;
  readonly clock?: Clock | undefined;
  /** Enables the mouse wheel and clicks; default true. Select text with Shift held. */
  readonly hasMouse?: boolean | undefined;
  /** Rings the bell when a run ends. */
  readonly rings?: boolean | undefined;
  /** Closes the dashboard from outside, without asking. */
  readonly signal?: AbortSignal;
  /** Called once the dashboard is up. */
  readonly onReady?: (dashboard: Pick<Dashboard, 'notify' | 'cloudAnswered'>) => void;
}

export interface DashboardResult {
  /** For the normal screen: what ran, how it ended, where the log is. Null if the terminal is gone. */
  readonly summary: string | null;
}

export async function run(options: RunDashboardOptions): Promise<DashboardResult> {
  const { io, logFile, onReady, rings, hasMouse = true } = options;
  const screen = createFullScreen(io.stdout, io.stdin, { hasMouse });
  let write: (text: string) => void = () => {};
  const dashboard = createDashboard({
    ...options,
    copy(text) {
      const sequence = copySequence(text, io.env);
      if (sequence === null) return 'Too long to copy through the terminal.';
      write(sequence);
      return null;
    },
    ...(rings && { ring: (text: string) => write(bellSequence(text, io.env)) }),
  });
  const restoreConsole = divertConsole(logFile);
  const unlisten = listen(options, dashboard, screen, () => {
    screen.enter();
    write(CLEAR);
  });
  screen.enter();
  try {
    const setWriter = (writer: typeof write) => {
      write = writer;
    };
    const app = (
      <App dashboard={dashboard} look={readLook(io.env)} hasMouse={hasMouse} onWriter={setWriter} />
    );
    const ink = startInk(app, io);
    onReady?.(dashboard);
    try {
      await Promise.race([dashboard.left, ink.waitUntilExit()]);
    } finally {
      dashboard.leave();
      // Unmounting would write once more.
      if (!screen.isAbandoned) ink.unmount();
    }
  } finally {
    unlisten();
    screen.leave();
    restoreConsole();
  }
  return { summary: screen.isAbandoned ? null : dashboard.summary() };
}

function startInk(app: React.JSX.Element, { stdin, stdout }: DashboardIo): Instance {
  return render(app, {
    stdout: stdout as NodeJS.WriteStream,
    stdin: stdin as NodeJS.ReadStream,
    incrementalRendering: true,
    exitOnCtrlC: false,
    patchConsole: false,
    isScreenReaderEnabled: false,
  });
}

/** Listens for signals and the end of the terminal. Returns a function that stops listening. */
function listen(
  { io, signal }: RunDashboardOptions,
  dashboard: Dashboard,
  screen: FullScreen,
  /** Called when a stopped process continues, since other programs may have used the terminal meanwhile. */
  onContinue: () => void,
): () => void {
  const leave = () => dashboard.leave();
  const onGone = () => {
    screen.abandon();
    leave();
  };
  const onSignal = io.onSignal ?? onProcessSignal;
  const stops = [
    onSignal('SIGINT', leave),
    onSignal('SIGTERM', leave),
    onSignal('SIGHUP', onGone),
    onProcessSignal('SIGCONT', onContinue),
    io.onOutputClosed?.(onGone),
  ];
  io.stdin.on('end', leave);
  // Reading from a closed terminal fails.
  io.stdin.on('error', onGone);
  signal?.addEventListener('abort', leave, { once: true });
  return () => {
    for (const stop of stops) stop?.();
    io.stdin.off('end', leave);
    io.stdin.pause();
    signal?.removeEventListener('abort', leave);
  };
}

function onProcessSignal(signal: Signal | 'SIGCONT', react: () => void): () => void {
  process.on(signal, react);
  return () => void process.off(signal, react);
}

/**
 * Sends console output of libraries to the log file, since it would garble the screen. Returns a function
 * that restores the console.
 */
function divertConsole(logFile: string | null): () => void {
  const before = globalThis.console;
  const stream = logFile === null ? createSink() : createWriteStream(logFile, { flags: 'a' });
  // A log write error must not end the dashboard.
  stream.on('error', () => {});
  globalThis.console = new Console(stream);
  return () => {
    globalThis.console = before;
    stream.end();
  };
}

function createSink(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}
