// Starts an engine process, so that a crash in native code only takes that child down.
import { ChildProcess, fork, type Serializable } from 'node:child_process';
import type { Socket } from 'node:net';
import { constants, getPriority, setPriority } from 'node:os';
import type { Readable } from 'node:stream';
import { type Clock, realClock } from '../../clock/index.js';
import { findDiskFault, findProgram } from '../../system/index.js';
import { TELEMETRY_OFF, withServingMemory } from '../environment.js';
import { HEARTBEAT_FD, type HeartbeatLimits, watchHeartbeat } from './heartbeat.js';
import type { FromWorker, ToWorker } from './messages.js';

/** How the process ended; `hung` if it was killed for losing its heartbeat. */
export interface ProcessEnd {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  hung?: true;
  /** The error code if the system lacked the resources to start it. */
  startFault?: string;
}

export interface WorkerProcess<In = ToWorker> {
  pid: number;
  /** No heartbeat for a while: it may recover or be killed. */
  readonly isHung: boolean;
  /** Alive, but busy for longer than its work may take. */
  readonly isOverdue: boolean;
  send(message: In): void;
  ended: Promise<ProcessEnd>;
  /** Closes the channel, which makes the process stop its work and exit. If it does not do so soon, it is killed. */
  close(): void;
  kill(): void;
  /** Makes it keep this process alive, as it does by default. */
  ref(): void;
  unref(): void;
}

/** For commands that are handled between two steps of a computation. */
export const GRACE_MS = 500;

interface WorkerOptions {
  program?: 'worker' | 'file-worker';
  /** Runs below normal priority. */
  low?: boolean;
  /** Configures the memory allocator for serving a model. */
  serves?: boolean;
  /** When to kill it. */
  limits: HeartbeatLimits;
  /** Called repeatedly while it is overdue. */
  onOverdue?: () => void;
  clock?: Clock;
}

export function startWorker<Out = FromWorker, In = ToWorker>(
  onMessage: (message: Out) => void,
  { program = 'worker', low = false, serves = false, limits, onOverdue, clock = realClock }: WorkerOptions,
): WorkerProcess<In> {
  const child = forkProgram(program, serves ? withServingMemory(process.env) : process.env);
  child.on('message', message => onMessage(message as Out));
  const beats = child.stdio?.[HEARTBEAT_FD] as Socket | undefined;
  const channel: Channel<In> = {
    send: message => {
      if (child.connected) child.send(message as Serializable, () => {});
    },
    close: () => {
      if (child.connected) child.disconnect();
    },
    ended: 'exit',
    refs: () => [child.channel, beats],
  };
  return watchProcess(child, channel, { low, limits, clock, beats, ...(onOverdue && { onOverdue }) });
}

/** How to talk with a process. */
export interface Channel<In> {
  send(message: In): void;
  /** Makes the process stop its work and exit. */
  close(): void;
  /** The event after which nothing more arrives, once a channel of Node's is closed, too. */
  ended: 'exit' | 'close';
  /** What keeps this process alive besides the other process itself. */
  refs(): ({ ref(): void; unref(): void } | null | undefined)[];
}

interface Watch extends Pick<WorkerOptions, 'low' | 'limits' | 'onOverdue'> {
  clock: Clock;
  /** Missing if it never started. */
  beats: Readable | undefined;
}

/** Kills it when it loses its heartbeat. */
export function watchProcess<In>(
  child: ChildProcess,
  { send, close, ended: last, refs }: Channel<In>,
  { low = false, limits, onOverdue, clock, beats }: Watch,
): WorkerProcess<In> {
  if (low && child.pid !== undefined) lowerPriority(child.pid);
  // A process that failed to start has no PID, and 0 would signal this process's own group.
  const kill = () => void (child.pid !== undefined && child.kill('SIGKILL'));
  let isLost = false;
  const onLost = () => {
    isLost = true;
    kill();
  };
  const watch = watchHeartbeat(beats, limits, { onLost, ...(onOverdue && { onOverdue }) }, clock);
  const ended = untilEnded(child, last).then(end => (isLost ? { ...end, hung: true as const } : end));
  void ended.then(() => watch.stop());
  return {
    pid: child.pid!,
    get isHung() {
      return watch.isHung;
    },
    get isOverdue() {
      return watch.isOverdue;
    },
    send,
    ended,
    close: () => {
      close();
      const grace = clock.after(GRACE_MS, kill);
      void ended.then(grace.stop);
    },
    kill,
    ref: () => {
      child.ref();
      for (const handle of refs()) handle?.ref();
    },
    unref: () => {
      child.unref();
      for (const handle of refs()) handle?.unref();
    },
  };
}

/** A courtesy to other programs, so it may fail. What is lower already stays: to raise it, one must be root. */
function lowerPriority(pid: number): void {
  const low = constants.priority.PRIORITY_BELOW_NORMAL;
  try {
    if (getPriority(pid) < low) setPriority(pid, low);
  } catch {}
}

function forkProgram(program: string, env: NodeJS.ProcessEnv): ChildProcess {
  const { path, execArgv } = findProgram(`lib/engine/${program}`);
  return startOrFail(() =>
    fork(path, {
      env: { ...env, ...TELEMETRY_OFF },
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc', 'pipe'],
      execArgv,
    }),
  );
}

/** Node throws some spawn failures and emits others as events. This turns all of them into events. */
export function startOrFail(start: () => ChildProcess): ChildProcess {
  try {
    return start();
  } catch (error) {
    if (findDiskFault(error) === null) throw error;
    const stillborn = new ChildProcess();
    setImmediate(() => stillborn.emit('error', error));
    return stillborn;
  }
}

function untilEnded(child: ChildProcess, last: Channel<unknown>['ended']): Promise<ProcessEnd> {
  return new Promise(resolve => {
    child.once(last, (exitCode, signal) => {
      const end = () => resolve({ exitCode, signal });
      // Messages can still be on their way: when any child ends, Node asks for the ends of all.
      if (child.connected) child.once('disconnect', end);
      else end();
    });
    // Other errors, such as a signal that could not be sent, do not mean that the child ended.
    child.on('error', error => {
      if (child.pid !== undefined) return;
      const startFault = findDiskFault(error);
      resolve({ exitCode: null, signal: null, ...(startFault !== null && { startFault }) });
    });
  });
}
