// Runs the dashboard on a terminal: takes it over, draws, passes keys and clicks on, and restores it.
import { type Instance, render } from 'ink';
import type { OpenEventSource, StudioClient } from '../../lib/client/index.js';
import type { Clock } from '../../lib/clock/index.js';
import { bellSequence, type Location } from '../../lib/console/index.js';
import { App } from './app.js';
import { createFieldSlot } from './core/field-slot.js';
import { createFrames } from './core/frames.js';
import { createRepaint, type Repaint } from './core/repaint.js';
import { createDashboard, type Dashboard } from './shell/dashboard.js';
import { copySequence } from './terminal/clipboard.js';
import { divertConsole } from './terminal/divert-console.js';
import { createFullScreen, type FullScreen, type RawInput } from './terminal/full-screen.js';
import { InkInput, InkOutput } from './terminal/ink-streams.js';
import { createKeyboard } from './terminal/keyboard.js';
import { readLook } from './terminal/look.js';
import { createPainter, type PaintTarget } from './terminal/painter.js';
import type { RunCommand } from './views/readers/command.js';

export type TerminalInput = NodeJS.ReadableStream & RawInput;

export interface TerminalOutput extends PaintTarget {
  on(event: 'resize', react: () => void): unknown;
  off(event: 'resize', react: () => void): unknown;
}

type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

interface DashboardIo {
  readonly stdin: TerminalInput;
  readonly stdout: TerminalOutput;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Calls back on a signal, which then no longer ends the process. Returns a function that undoes this. */
  readonly onSignal?: ((signal: Signal, react: () => void) => () => void) | undefined;
}

export interface RunDashboardOptions {
  readonly client: StudioClient;
  /** The URL of the browser app; null if there is none. */
  readonly studioUrl: string | null;
  readonly openEventSource: OpenEventSource;
  readonly io: DashboardIo;
  readonly clock?: Clock | undefined;
  /** The log's path: shown at the end, and the target of console output meanwhile. */
  readonly logFile: string | null;
  readonly runCommand?: RunCommand;
  /** Null on success, otherwise the reason. */
  readonly openBrowser?: (url: string) => Promise<string | null>;
  /** Appends rows to a file. Null on success, otherwise the reason. */
  readonly saveRows?: (file: string, rows: string) => Promise<string | null>;
  /** Wheel and clicks; true by default. Text is then selected with Shift held. */
  readonly hasMouse?: boolean | undefined;
  /** Rings the bell when a run ends. */
  readonly rings?: boolean | undefined;
  /** Closes the dashboard from outside, without asking. */
  readonly signal?: AbortSignal;
  /** The first view; the overview by default. */
  readonly start?: Location;
  /** Called once the dashboard is up. */
  readonly onReady?: (dashboard: Pick<Dashboard, 'notify' | 'cloudAnswered'>) => void;
}

export interface DashboardResult {
  /** For the normal screen: what ran, how it ended, where the log is. Null if the terminal is gone. */
  readonly summary: string | null;
}

export async function run(options: RunDashboardOptions): Promise<DashboardResult> {
  const { io, clock, logFile, onReady, hasMouse = true } = options;
  const look = readLook(io.env);
  const repaint = createRepaint(clock);
  const painter = createPainter(io.stdout, clock);
  const slot = createFieldSlot();
  const input = new InkInput();
  const dashboard = createDashboard({
    ...options,
    hasMouse,
    glyphs: look.glyphs,
    size: sizeOf(io.stdout),
    repaint,
    redraw() {
      painter.forget();
      painter.flush();
    },
    copy: text => copyTo(io, text),
    ...(options.rings && { ring: (text: string) => void io.stdout.write(bellSequence(text, io.env)) }),
  });
  const size = () => sizeOf(io.stdout);
  const frames = createFrames({ draw: dashboard.draw, slot, look, size, paint: painter.paint });
  const output = new InkOutput(size(), frames.takeField);
  const screen = createFullScreen(io.stdout, io.stdin, { hasMouse });
  const restoreConsole = divertConsole(logFile);
  screen.enter();
  const unlisten = listen(options, dashboard, screen, input, {
    onResize() {
      const { columns, rows } = size();
      painter.forget();
      dashboard.resize(columns, rows);
      output.resize(columns, rows);
      repaint.flush();
    },
    onContinue() {
      screen.enter();
      painter.forget();
      painter.flush();
    },
  });
  try {
    const ink = startInk(<App slot={slot} />, output, input);
    const broken = drawOn(repaint, frames.draw);
    dashboard.start();
    onReady?.(dashboard);
    try {
      await Promise.race([dashboard.left, ink.waitUntilExit(), broken]);
    } finally {
      dashboard.leave();
      painter.stop();
      ink.unmount();
    }
  } finally {
    unlisten();
    screen.leave();
    restoreConsole();
  }
  return { summary: screen.isAbandoned ? null : dashboard.summary() };
}

/** Draws now and at every redraw. Rejects when drawing fails. */
function drawOn({ subscribe }: Repaint, draw: () => void): Promise<never> {
  draw();
  return new Promise((_, reject) => {
    subscribe(() => {
      try {
        draw();
      } catch (error) {
        reject(error);
      }
    });
  });
}

function startInk(app: React.JSX.Element, output: InkOutput, input: InkInput): Instance {
  return render(app, {
    stdout: output as unknown as NodeJS.WriteStream,
    stdin: input as unknown as NodeJS.ReadStream,
    // Makes Ink write each frame of the text field in full, and at once.
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false,
    isScreenReaderEnabled: false,
  });
}

interface TerminalEvents {
  onResize(): void;
  /** The process was stopped, and something else has used the terminal meanwhile. */
  onContinue(): void;
}

/** Listens for keys, the mouse, resizes and signals. Returns a function that stops listening. */
function listen(
  { io, clock, signal }: RunDashboardOptions,
  dashboard: Dashboard,
  screen: FullScreen,
  input: InkInput,
  { onResize, onContinue }: TerminalEvents,
): () => void {
  const targets = {
    press: dashboard.press,
    point: dashboard.point,
    get isTyping() {
      return dashboard.isTyping();
    },
    type: (bytes: string) => input.type(bytes),
  };
  const keyboard = createKeyboard(targets, clock);
  const onData = (text: string | Uint8Array) => keyboard.feed(String(text));
  const onGone = () => {
    screen.abandon();
    dashboard.leave();
  };
  const onSignal = io.onSignal ?? onProcessSignal;
  const stops = [
    onSignal('SIGINT', dashboard.leave),
    onSignal('SIGTERM', dashboard.leave),
    onSignal('SIGHUP', onGone),
    onProcessSignal('SIGCONT', onContinue),
  ];
  io.stdin.setEncoding('utf8');
  io.stdin.on('data', onData);
  io.stdin.on('end', dashboard.leave);
  // Reading from a closed terminal fails.
  io.stdin.on('error', onGone);
  io.stdin.resume();
  io.stdout.on('resize', onResize);
  signal?.addEventListener('abort', dashboard.leave, { once: true });
  return () => {
    for (const stop of stops) stop();
    io.stdin.off('data', onData);
    io.stdin.off('end', dashboard.leave);
    io.stdin.pause();
    io.stdout.off('resize', onResize);
    signal?.removeEventListener('abort', dashboard.leave);
  };
}

function onProcessSignal(signal: Signal | 'SIGCONT', react: () => void): () => void {
  process.on(signal, react);
  return () => void process.off(signal, react);
}

function sizeOf({ columns, rows }: TerminalOutput): { columns: number; rows: number } {
  return { columns: columns || 80, rows: rows || 24 };
}

function copyTo({ stdout, env }: DashboardIo, text: string): string | null {
  const sequence = copySequence(text, env);
  if (sequence === null) return 'Too long to copy through the terminal.';
  stdout.write(sequence);
  return null;
}
