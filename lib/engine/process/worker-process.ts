// Starts an engine process, so that a crash in native code only takes that child down.
import { type ChildProcess, fork, type Serializable } from 'node:child_process';
import type { Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { findProgram } from '../../system/index.js';
import { TELEMETRY_OFF, withLargePages } from '../environment.js';
import { HEARTBEAT_FD } from './heartbeat.js';
import type { FromWorker, ToWorker } from './messages.js';
import { type HeartbeatLimits, watchHeartbeat } from './watch-heartbeat.js';

/** How the process ended; `hung` if it was killed for losing its heartbeat. */
export interface ProcessEnd {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  hung?: true;
}

export interface WorkerProcess<In = ToWorker> {
  pid: number;
  /** No heartbeat for a while: it may recover or be killed. */
  readonly isHung: boolean;
  /** Alive, but busy for longer than its work may take. */
  readonly isOverdue: boolean;
  send(message: In): void;
  ended: Promise<ProcessEnd>;
  /** Closes the channel, which makes the process stop its work and exit. */
  close(): void;
  kill(): void;
  /** Makes it keep this process alive, as it does by default. */
  ref(): void;
  unref(): void;
}

interface WorkerOptions {
  program?: 'worker' | 'file-worker';
  /** Runs below normal priority. */
  low?: boolean;
  /** Asks for memory in large pages. */
  largePages?: boolean;
  /** When to kill it; never by default. */
  limits?: HeartbeatLimits;
  /** Called repeatedly while it is overdue. */
  onOverdue?: () => void;
}

export function startWorker<Out = FromWorker, In = ToWorker>(
  onMessage: (message: Out) => void,
  { program = 'worker', low = false, largePages = false, limits, onOverdue }: WorkerOptions = {},
): WorkerProcess<In> {
  const { path, execArgv } = findProgram(`lib/engine/${program}`);
  const child: ChildProcess = fork(path, {
    env: { ...(largePages ? withLargePages(process.env) : process.env), ...TELEMETRY_OFF },
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
    // Other errors, such as a signal that could not be sent, do not mean that the child ended.
    child.on('error', () => {
      if (child.pid === undefined) resolve({ exitCode: null, signal: null });
    });
  });
}
