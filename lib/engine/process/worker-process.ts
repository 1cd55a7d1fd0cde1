// Starts the engine's process. Whatever happens to the engine's native code happens to that child.
import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { findProgram } from './find-program.js';
import { HEARTBEAT_FD } from './heartbeat.js';
import type { FromWorker, ToWorker } from './messages.js';
import { type HeartbeatLimits, watchHeartbeat } from './watch-heartbeat.js';

/** How the process ended; `hung` when it was killed because it gave no sign of life any more. */
export interface ProcessEnd {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  hung?: true;
}

export interface WorkerProcess {
  pid: number;
  /** Whether it has not been heard of for a while; it may come back, or be killed. */
  readonly isHung: boolean;
  send(message: ToWorker): void;
  ended: Promise<ProcessEnd>;
  /** Closes the channel, upon which the process stops what it does and ends. */
  close(): void;
  kill(): void;
}

export interface WorkerOptions {
  /** Others go before it. */
  low?: boolean;
  /** When it is given up and killed. */
  limits: HeartbeatLimits;
}

export function startWorker(
  onMessage: (message: FromWorker) => void,
  { low = false, limits }: WorkerOptions,
): WorkerProcess {
  const { path, execArgv } = findProgram('worker');
  const child: ChildProcess = fork(path, {
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', 'pipe'],
    execArgv,
  });
  child.on('message', onMessage);
  if (low && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  let isLost = false;
  const watch = watchHeartbeat(child.stdio?.[HEARTBEAT_FD] as Readable | undefined, limits, () => {
    isLost = true;
    child.kill('SIGKILL');
  });
  const ended = untilEnded(child).then(end => (isLost ? { ...end, hung: true as const } : end));
  void ended.then(() => watch.stop());
  return {
    pid: child.pid!,
    get isHung() {
      return watch.isHung;
    },
    send: message => {
      if (child.connected) child.send(message, () => {});
    },
    ended,
    close: () => {
      if (child.connected) child.disconnect();
    },
    kill: () => child.kill('SIGKILL'),
  };
}

function untilEnded(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise(resolve => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
    // Later errors, such as a signal that could not be sent, say nothing of the child's end.
    child.on('error', () => {
      if (child.pid === undefined) resolve({ exitCode: null, signal: null });
    });
  });
}
