// The parent's side: starts the process that reads files when there is work for it, and ends it after a while without any.
import { startWorker, type WorkerProcess } from '../process/index.js';
import { fromFault } from './faults.js';
import type { FileWork, FromFileWorker, Kind, ToFileWorker } from './messages.js';

export interface FileReader {
  /** Rejects with a `DatasetError` for what cannot be trained on, and with the signal's reason once it is aborted. */
  run<K extends Kind>(
    kind: K,
    given: FileWork[K]['given'],
    signal?: AbortSignal,
  ): Promise<FileWork[K]['result']>;
  /** Ends the process; work that is under way is given up. */
  close(): void;
}

export interface FileReaderOptions {
  /** How long the process stays without work. */
  idleMs?: number;
}

const IDLE_MS = 10_000;
/** A process that dies, as one that is killed does, takes no work with it. */
const TRIES = 2;

export function startFileReader({ idleMs = IDLE_MS }: FileReaderOptions = {}): FileReader {
  let current: Process | null = null;
  let idle: NodeJS.Timeout | undefined;

  function close(): void {
    clearTimeout(idle);
    current?.close();
    current = null;
  }

  function reach(): Process {
    clearTimeout(idle);
    if (current?.isOver ?? true) current = startProcess();
    return current!;
  }

  return {
    close,
    async run(kind, given, signal) {
      for (let tries = 1; ; tries++) {
        signal?.throwIfAborted();
        const process = reach();
        try {
          return (await process.ask(kind, given, signal)) as FileWork[typeof kind]['result'];
        } catch (error) {
          if (!(error instanceof ProcessGone) || tries === TRIES) throw error;
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

class ProcessGone extends Error {
  override readonly name = 'ProcessGone';
}

interface Process {
  ask(kind: Kind, given: unknown, signal: AbortSignal | undefined): Promise<unknown>;
  readonly isIdle: boolean;
  readonly isOver: boolean;
  close(): void;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

function startProcess(): Process {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let isOver = false;
  const worker: WorkerProcess<ToFileWorker> = startWorker<FromFileWorker, ToFileWorker>(
    message => {
      const asked = waiting.get(message.id);
      if (message.type === 'done') asked?.resolve(message.result);
      else asked?.reject(fromFault(message.fault));
    },
    { program: 'file-worker' },
  );
  // Only work keeps this process alive.
  worker.unref();
  const giveUp = (error: Error) => {
    isOver = true;
    for (const { reject } of waiting.values()) reject(error);
  };
  void worker.ended.then(({ exitCode, signal }) =>
    giveUp(new ProcessGone(`The process that reads files ended (${signal ?? `exit code ${exitCode}`}).`)),
  );

  async function ask(kind: Kind, given: unknown, signal: AbortSignal | undefined): Promise<unknown> {
    const id = ++lastId;
    const onAbort = () => {
      worker.send({ type: 'abort', id });
      waiting.get(id)?.reject(signal!.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await new Promise<unknown>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        worker.ref();
        worker.send({ type: 'work', id, kind, given } as ToFileWorker);
      });
    } finally {
      signal?.removeEventListener('abort', onAbort);
      waiting.delete(id);
      if (waiting.size === 0) worker.unref();
    }
  }

  return {
    ask,
    get isIdle() {
      return waiting.size === 0;
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
