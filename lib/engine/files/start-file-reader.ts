// The parent's side: starts the process that reads files when there is work, and ends it after a while without any.
import { startWorker, type WorkerProcess } from '../process/index.js';
import type { FileWork, FromFileWorker, ToFileWorker, WorkKind } from './messages.js';
import { deserializeError } from './serialize-error.js';

export interface FileReader {
  /** Rejects with a `DatasetError` for a file that cannot be trained on, and with the signal's reason once it aborts. */
  run<K extends WorkKind>(
    kind: K,
    input: FileWork[K]['input'],
    signal?: AbortSignal,
  ): Promise<FileWork[K]['result']>;
  /** Ends the process and abandons its work. */
  close(): void;
}

interface FileReaderOptions {
  /** How long the process stays alive without work. */
  idleMs?: number;
}

const IDLE_MS = 10_000;
/** Work is retried once if its process dies. */
const TRIES = 2;

export function startFileReader({ idleMs = IDLE_MS }: FileReaderOptions = {}): FileReader {
  let current: Process | null = null;
  let idle: NodeJS.Timeout | undefined;

  function close(): void {
    clearTimeout(idle);
    current?.close();
    current = null;
  }

  function ensureProcess(): Process {
    clearTimeout(idle);
    if (current?.isOver ?? true) current = startProcess();
    return current!;
  }

  return {
    close,
    async run(kind, input, signal) {
      for (let tries = 1; ; tries++) {
        signal?.throwIfAborted();
        const process = ensureProcess();
        try {
          return (await process.request(kind, input, signal)) as FileWork[typeof kind]['result'];
        } catch (error) {
          if (!(error instanceof ProcessExitedError) || tries === TRIES) throw error;
        } finally {
          if (process === current && process.isIdle) {
            clearTimeout(idle);
            idle = setTimeout(close, idleMs).unref();
          }
        }
      }
    },
  };
}

class ProcessExitedError extends Error {
  override readonly name = 'ProcessExitedError';
}

interface Process {
  request(kind: WorkKind, input: unknown, signal: AbortSignal | undefined): Promise<unknown>;
  readonly isIdle: boolean;
  readonly isOver: boolean;
  close(): void;
}

interface PendingRequest {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

function startProcess(): Process {
  const pending = new Map<number, PendingRequest>();
  let lastId = 0;
  let isOver = false;
  const worker: WorkerProcess<ToFileWorker> = startWorker<FromFileWorker, ToFileWorker>(
    message => {
      const request = pending.get(message.id);
      if (message.type === 'done') request?.resolve(message.result);
      else request?.reject(deserializeError(message.error));
    },
    { program: 'file-worker' },
  );
  // Only pending work keeps this process alive.
  worker.unref();
  const giveUp = (error: Error) => {
    isOver = true;
    for (const { reject } of pending.values()) reject(error);
  };
  void worker.ended.then(({ exitCode, signal, startFault: code }) =>
    giveUp(
      code === undefined
        ? new ProcessExitedError(
            `The process that reads files exited (${signal ?? `exit code ${exitCode}`}).`,
          )
        : Object.assign(new Error(`The process that reads files could not be started (${code}).`), { code }),
    ),
  );

  async function request(kind: WorkKind, input: unknown, signal: AbortSignal | undefined): Promise<unknown> {
    const id = ++lastId;
    const onAbort = () => {
      worker.send({ type: 'abort', id });
      pending.get(id)?.reject(signal!.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await new Promise<unknown>((resolve, reject) => {
        pending.set(id, { resolve, reject });
        worker.ref();
        worker.send({ type: 'work', id, kind, input } as ToFileWorker);
      });
    } finally {
      signal?.removeEventListener('abort', onAbort);
      pending.delete(id);
      if (pending.size === 0) worker.unref();
    }
  }

  return {
    request,
    get isIdle() {
      return pending.size === 0;
    },
    get isOver() {
      return isOver;
    },
    close() {
      giveUp(new Error('The process that reads files was closed.'));
      worker.close();
    },
  };
}
