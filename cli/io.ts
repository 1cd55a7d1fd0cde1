// The process around a command.
import type { Clock } from '../lib/clock/index.js';

/** Everything a command sees of its process. */
export interface Io {
  stdout: Output;
  stderr: Output;
  env: Record<string, string | undefined>;
  cwd: string;
  /** For waiting and timestamps; the real clock by default. */
  clock?: Clock;
  /** Keyboard or piped input; without it, commands cannot ask. */
  stdin?: Keyboard;
  /** Calls back on a signal, which then no longer ends the process. Returns a function that undoes this. */
  onSignal?(signal: Signal, react: () => void): () => void;
  /** Calls back when stdout is closed, which then no longer ends the process. Returns a function that undoes this. */
  onOutputClosed?(react: () => void): () => void;
}

type Keyboard = NodeJS.ReadableStream & { isTTY?: boolean | undefined };

export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

export interface Output {
  write(chunk: string | Uint8Array): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}
