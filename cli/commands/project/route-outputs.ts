// Routes what the project's code writes to the process's streams and its console through svc. svc's own output uses
// `keepOutputs`, which bypasses this.
import { Console } from 'node:console';
import { STUDIO_OUTPUT_VARIABLE } from '../../../lib/system/index.js';
import type { Io, Output } from '../../command.js';
import { type Screen, toWritable } from '../../screen.js';

/**
 * The original outputs, unaffected by later calls of `routeStream`. Output to Studio's panel is formatted as
 * for a terminal.
 */
export function keepOutputs(io: Io): Io {
  const isBoxed = Boolean(io.env[STUDIO_OUTPUT_VARIABLE]);
  return Object.create(io, {
    stdout: { value: keep(io.stdout, isBoxed) },
    stderr: { value: keep(io.stderr, isBoxed) },
  });
}

function keep(output: Output, isBoxed: boolean): Output {
  const write = output.write.bind(output);
  return {
    write,
    get isTTY() {
      return isBoxed || output.isTTY;
    },
    get columns() {
      return output.columns;
    },
  };
}

/** The remaining arguments of Node's `stream.write`: an optional encoding and an optional callback. */
type Rest = [encodingOrDone?: BufferEncoding | ((error?: Error) => void), done?: (error?: Error) => void];

/** Returns a function that restores the stream. */
function routeStream(stream: Output, to: Output): () => void {
  const own = Object.getOwnPropertyDescriptor(stream, 'write');
  const write = (chunk: string | Uint8Array, ...[encodingOrDone, done]: Rest): boolean => {
    const [encoding, callBack] =
      typeof encodingOrDone === 'function' ? [undefined, encodingOrDone] : [encodingOrDone, done];
    to.write(typeof chunk === 'string' && isBytes(encoding) ? Buffer.from(chunk, encoding) : chunk);
    if (callBack) process.nextTick(callBack);
    return true;
  };
  Object.defineProperty(stream, 'write', { value: write, configurable: true, writable: true });
  return () => {
    if (own) Object.defineProperty(stream, 'write', own);
    else delete (stream as Partial<Output>).write;
  };
}

function isBytes(encoding: BufferEncoding | undefined): encoding is BufferEncoding {
  return encoding !== undefined && !/^utf-?8$/i.test(encoding);
}

/**
 * Keeps console output from breaking the progress line or mixing with JSON. Returns a function that restores
 * the console.
 */
function routeConsole(stdout: Output, stderr: Output, isColored: boolean): () => void {
  const own = globalThis.console;
  globalThis.console = new Console({
    stdout: toWritable(stdout),
    stderr: toWritable(stderr),
    colorMode: isColored,
  });
  return () => {
    globalThis.console = own;
  };
}

/** Sends everything the project's code writes to the reporter's output. */
export function routeOutputs(output: Output, shared: Io, { stderr, env }: Io, screen: Screen): () => void {
  const isOneScreen = screen.isLive && stderr.isTTY === true;
  const giveBack = [
    routeConsole(output, isOneScreen ? output : stderr, screen.isTerminal && !env.NO_COLOR),
    routeStream(shared.stdout, output),
  ];
  if (isOneScreen) giveBack.push(routeStream(shared.stderr, output));
  return () => giveBack.forEach(give => void give());
}

/** Sends the output of the project's code to stderr, so that stdout has only the result. */
export function silenceProject(shared: Io, { stderr }: Io): () => void {
  const giveBack = [routeConsole(stderr, stderr, false), routeStream(shared.stdout, stderr)];
  return () => giveBack.forEach(give => void give());
}

/** Watches from the start, so that a job is created even if no one reads the output. */
export function watchOutput({ onOutputClosed }: Io): { closed: Promise<void>; stop(): void } {
  let stop: (() => void) | undefined;
  const closed = new Promise<void>(resolve => {
    stop = onOutputClosed?.(resolve);
  });
  return { closed, stop: () => stop?.() };
}
