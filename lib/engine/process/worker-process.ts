// Starts the engine's process. Whatever happens to the engine's native code happens to that child.
import { type ChildProcess, fork, type Serializable } from 'node:child_process';
import type { Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { findProgram } from '../../system/index.js';
import { TELEMETRY_OFF } from '../telemetry.js';
import { HEARTBEAT_FD } from './heartbeat.js';
import type { FromWorker, ToWorker } from './messages.js';
import { type HeartbeatLimits, watchHeartbeat } from './watch-heartbeat.js';

/** How the process ended; `hung` when it was killed because it gave no sign of life any more. */
export interface ProcessEnd {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  hung?: true;
}

export interface WorkerProcess<In = ToWorker> {
  pid: number;
  /** Whether it has not been heard of for a while; it may come back, or be killed. */
  readonly isHung: boolean;
  /** Whether it lives, but works on something for longer than that may take. */
  readonly isOverdue: boolean;
  send(message: In): void;
  ended: Promise<ProcessEnd>;
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
  /** When it is given up and killed; never unless given. */
  limits?: HeartbeatLimits;
  /** Called again and again while it is overdue. */
  onOverdue?: () => void;
}

export function startWorker<Out = FromWorker, In = ToWorker>(
  onMessage: (message: Out) => void,
  { program = 'worker', low = false, limits, onOverdue }: WorkerOptions = {},
): WorkerProcess<In> {
  const { path, execArgv } = findProgram(`engine/${program}`);
  const child: ChildProcess = fork(path, {
    env: { ...process.env, ...TELEMETRY_OFF },
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', 'pipe'],
    execArgv,
  });
  child.on('message', message => onMessage(message as Out));
  if (low && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  let isLost = false;
  const heartbeat = child.stdio?.[HEARTBEAT_FD] as Readable | undefined;
  const watch =
    limits &&
    watchHeartbeat(heartbeat, limits, {
      onLost: () => {
        isLost = true;
        child.kill('SIGKILL');
      },
      ...(onOverdue && { onOverdue }),
    });
  const ended = untilEnded(child).then(end => (isLost ? { ...end, hung: true as const } : end));
  void ended.then(() => watch?.stop());
  return {
    pid: child.pid!,
    get isHung() {
      return watch?.isHung ?? false;
    },
    get isOverdue() {
      return watch?.isOverdue ?? false;
    },
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
      (heartbeat as Socket | undefined)?.unref();
    },
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
