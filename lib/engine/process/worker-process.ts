// Starts the engine's process. Whatever happens to the engine's native code happens to that child.
import { type ChildProcess, fork, type Serializable } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { findProgram } from '../../programs/index.js';
import { TELEMETRY_OFF } from '../telemetry.js';
import type { FromWorker, ToWorker } from './messages.js';

export interface WorkerProcess<In = ToWorker> {
  pid: number;
  send(message: In): void;
  ended: Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }>;
  /** Closes the channel, upon which the process stops what it does and ends. */
  close(): void;
  kill(): void;
  /** Whether it keeps this process alive; it does, unless told otherwise. */
  ref(): void;
  unref(): void;
}

export interface WorkerOptions {
  /** Which of the engine's programs. */
  program?: 'worker' | 'file-worker';
  /** Gives way to processes of usual priority. */
  low?: boolean;
}

export function startWorker<Out = FromWorker, In = ToWorker>(
  onMessage: (message: Out) => void,
  { program = 'worker', low = false }: WorkerOptions = {},
): WorkerProcess<In> {
  const { path, execArgv } = findProgram(`engine/${program}`);
  const child: ChildProcess = fork(path, {
    env: { ...process.env, ...TELEMETRY_OFF },
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv,
  });
  child.on('message', message => onMessage(message as Out));
  if (low && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const ended = new Promise<Awaited<WorkerProcess['ended']>>(resolve => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
    // Later errors, such as a signal that could not be sent, say nothing of the child's end.
    child.on('error', () => {
      if (child.pid === undefined) resolve({ exitCode: null, signal: null });
    });
  });
  return {
    pid: child.pid!,
    send: message => {
      if (child.connected) child.send(message as Serializable, () => {});
    },
    ended,
    close: () => {
      if (child.connected) child.disconnect();
    },
    kill: () => child.kill('SIGKILL'),
    ref: () => {
      child.ref();
      child.channel?.ref();
    },
    unref: () => {
      child.unref();
      child.channel?.unref();
    },
  };
}
