// A process that reads files, one at a time: if its work hangs, killing it interrupts no other work.
import type { Clock, Timer } from '../../clock/index.js';
import { EngineError } from '../engine-error.js';
import type { HeartbeatLimits } from '../process/heartbeat.js';
import { GRACE_MS, type ProcessEnd, startWorker, type WorkerProcess } from '../process/worker-process.js';
import { mostMs } from './kinds.js';
import { deserializeError, type FromFileWorker, type ToFileWorker, type WorkKind } from './messages.js';

export interface Work {
  kind: WorkKind;
  input: unknown;
  signal?: AbortSignal | undefined;
}

export interface ReaderProcess {
  /** Rejects immediately when the signal aborts. The process may still be busy for a moment. */
  work(work: Work): Promise<unknown>;
  /** Resolves when the process is free for other work, or has exited. */
  untilFree(): Promise<void>;
  readonly isOver: boolean;
  /** Ends it, and abandons its work. */
  close(): void;
}

/** The process exited, or was killed. */
export class ProcessExitedError extends Error {
  override readonly name = 'ProcessExitedError';
}

/** For work that is abandoned. */
export const closed = () =>
  new EngineError('engine_unavailable', 'The cloud is stopping. Try again once it is back.');

/** Killed because its work took too long. */
export class OverrunError extends Error {
  override readonly name = 'OverrunError';
}

/** All file work yields to the event loop every few rows or chunks. */
const STUCK_MS = 60_000;
const LIMITS: HeartbeatLimits = { silentMs: STUCK_MS, busyMs: STUCK_MS };

interface Current {
  resolve(result: unknown): void;
  reject(error: unknown): void;
  free(): void;
  isFree: Promise<void>;
}

export function startReaderProcess({ low, clock }: ReaderProcessOptions): ReaderProcess {
  let current: Current | null = null;
  let isOver = false;
  let overran: string | null = null;
  const worker: WorkerProcess<ToFileWorker> = startWorker<FromFileWorker, ToFileWorker>(
    message => {
      if (message.type === 'done') current?.resolve(message.result);
      else current?.reject(deserializeError(message.error));
      current?.free();
    },
    { program: 'file-worker', low, limits: LIMITS, clock },
  );
  // Only its work keeps this process alive.
  worker.unref();
  void worker.ended.then(end => {
    isOver = true;
    const stuck = end.hung ? `made no progress for ${STUCK_MS / 1000} s` : overran;
    current?.reject(stuck === null ? exited(end) : new OverrunError(stuck));
    current?.free();
  });

  async function work({ kind, input, signal }: Work): Promise<unknown> {
    signal?.throwIfAborted();
    // Throws if the message cannot be sent, before anything waits for an answer.
    worker.send({ type: 'work', kind, input } as ToFileWorker);
    worker.ref();
    let grace: Timer | undefined;
    const most = mostMs(kind);
    const limit = clock.after(most, () => {
      overran = `took longer than ${most / 60_000} minutes`;
      worker.kill();
    });
    const own = createCurrent();
    current = own;
    const onAbort = () => {
      worker.send({ type: 'abort' });
      own.reject(signal!.reason);
      grace = clock.after(GRACE_MS, worker.kill);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    void own.isFree.then(() => {
      limit.stop();
      grace?.stop();
      signal?.removeEventListener('abort', onAbort);
      current = null;
      worker.unref();
    });
    return own.result;
  }

  return {
    work,
    untilFree: async () => current?.isFree,
    get isOver() {
      return isOver;
    },
    close() {
      isOver = true;
      current?.reject(closed());
      worker.close();
    },
  };
}

interface ReaderProcessOptions {
  /** Runs below normal priority. */
  low: boolean;
  clock: Clock;
}

function createCurrent(): Current & { result: Promise<unknown> } {
  let free = () => {};
  const isFree = new Promise<void>(resolve => {
    free = resolve;
  });
  let own!: Pick<Current, 'resolve' | 'reject'>;
  const result = new Promise<unknown>((resolve, reject) => {
    own = { resolve, reject };
  });
  return { ...own, result, free, isFree };
}

function exited({ signal, exitCode, startFault: code }: ProcessEnd): Error {
  if (code !== undefined)
    return Object.assign(new Error(`No process could be started to read files (${code}).`), { code });
  if (signal === null && exitCode === null)
    return new EngineError(
      'engine_unavailable',
      'No process could be started to read files. Try again in a moment.',
    );
  return new ProcessExitedError(`made the process that reads it exit (${signal ?? `code ${exitCode}`})`);
}

interface ProcessPool {
  /** A free process, preferably the last one with the same `use`, since it still has its files open. Starts none once closed. */
  acquire(use: string): ReaderProcess;
  release(process: ReaderProcess): void;
  close(): void;
}

interface Member {
  process: ReaderProcess;
  use: string;
  /** The idle timer that ends it; null while it works. */
  idle: Timer | null;
}

/** How long a process stays alive without work. */
const IDLE_MS = 10_000;

/** A pool of processes that read files, started on demand and ended after a while without work. */
export function createProcessPool(start: () => ReaderProcess, clock: Clock): ProcessPool {
  let members: Member[] = [];
  let isClosed = false;

  function end(member: Member): void {
    members = members.filter(other => other !== member);
    member.idle?.stop();
    member.process.close();
  }

  return {
    acquire(use) {
      if (isClosed) throw closed();
      members = members.filter(({ process }) => !process.isOver);
      const free = members.filter(({ idle }) => idle !== null);
      const found = free.find(member => member.use === use) ?? free[0];
      if (!found) {
        members.push({ process: start(), use, idle: null });
        return members.at(-1)!.process;
      }
      found.idle?.stop();
      Object.assign(found, { use, idle: null });
      return found.process;
    },
    release(process) {
      const member = members.find(other => other.process === process);
      if (member) member.idle = clock.after(IDLE_MS, () => end(member));
    },
    close() {
      isClosed = true;
      for (const member of members) end(member);
    },
  };
}
