// Keeps the engine's process alive: starts it when it is first needed and restarts it with back-off when it crashes. It
// knows nothing of chats.
import { EngineError, type ServingProcess } from '../../engine/index.js';
import type { BackendState } from '../seams/backend.js';
import { backOffMs } from './back-off.js';

/** One run of the engine's process. */
export interface Worker {
  serving: ServingProcess;
  ready: boolean;
  /** Why the model could not be opened; null if it could, or may yet. */
  fault: EngineError | null;
  /** It was killed because it stopped responding. */
  hung: boolean;
}

interface Supervisor {
  /** The current process, or a new one. Throws an `EngineError` while starting one is pointless. */
  acquire(signal?: AbortSignal): Promise<Worker>;
  /** The current process. */
  readonly current: Worker | null;
  /** An answer was completed, so earlier crashes no longer count. */
  noteSuccess(): void;
  readonly state: BackendState;
  close(): Promise<void>;
}

interface SupervisorOptions {
  start: () => ServingProcess;
  log: (line: { message: string; error?: unknown }) => void;
}

/** A chat waits this long for the next start, and is rejected at once if it takes longer. */
const PATIENCE_MS = 2000;
/** A model that cannot be opened is tried again after this time, since someone may have fixed its folder. */
const REOPEN_MS = 30_000;

export function createSupervisor({ start, log }: SupervisorOptions): Supervisor {
  let current: Worker | null = null;
  let deaths = 0;
  let startAt = 0;
  let fault: EngineError | null = null;
  let lastReason = '';
  let closed = false;

  function begin(): Worker {
    const serving = start();
    const worker: Worker = { serving, ready: false, fault: null, hung: false };
    current = worker;
    serving.ready.then(
      () => {
        worker.ready = true;
        fault = null;
      },
      error => refuseModel(worker, error),
    );
    void serving.ended.then(({ exitCode, signal, hung = false }) => {
      worker.hung = hung;
      onExit(worker, hung ? 'it stopped responding and was killed' : (signal ?? `exit code ${exitCode}`));
    });
    return worker;
  }

  /** Only for failures to open the model. A process that crashes while opening it is handled when it exits. */
  function refuseModel(worker: Worker, error: unknown): void {
    if (closed || (error instanceof EngineError && error.code === 'engine_unavailable')) return;
    worker.fault = unavailable('The model of this cloud cannot be opened. Run "svc cloud logs" to see why.');
    fault = worker.fault;
    startAt = Date.now() + REOPEN_MS;
    if (current === worker) current = null;
    beginLater();
    const reason = error instanceof Error ? error.message : String(error);
    if (reason !== lastReason) log({ message: `The model cannot be opened: ${reason}`, error });
    lastReason = reason;
  }

  function onExit(dead: Worker, cause: string): void {
    if (closed || current !== dead) return;
    current = null;
    const wait = backOffMs(++deaths);
    startAt = Date.now() + wait;
    log({ message: `The engine stopped (${cause}); restarting${wait ? ` in ${wait} ms` : ''}.` });
    if (wait > PATIENCE_MS)
      fault = unavailable('The engine stopped several times in a row. Try again later.');
    if (dead.ready && wait === 0) begin();
    else if (dead.ready || fault) beginLater();
  }

  /** Restarts even if nobody asks, so that the reported health becomes current again. */
  function beginLater(): void {
    const timer = setTimeout(() => {
      if (!closed && !current && Date.now() >= startAt) begin();
    }, startAt - Date.now());
    timer.unref();
  }

  async function acquire(signal?: AbortSignal): Promise<Worker> {
    for (;;) {
      signal?.throwIfAborted();
      if (closed) throw unavailable('The engine was shut down.');
      if (current) return current;
      const wait = startAt - Date.now();
      if (wait <= 0) return begin();
      if (fault) throw fault;
      await pause(wait, signal);
    }
  }

  return {
    acquire,
    get current() {
      return current;
    },
    noteSuccess() {
      deaths = 0;
    },
    get state() {
      if (current?.serving.isHung) return 'hung';
      if (current?.ready) return 'ready';
      return fault || closed ? 'failed' : 'starting';
    },
    async close() {
      closed = true;
      const last = current;
      current = null;
      await last?.serving.close();
    },
  };
}

function unavailable(message: string): EngineError {
  return new EngineError('engine_unavailable', message);
}

/** Does not keep the process alive; ends early if the signal is aborted. */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let wake = () => {};
  await new Promise<void>(resolve => {
    wake = resolve;
    setTimeout(wake, ms).unref();
    signal?.addEventListener('abort', wake, { once: true });
  });
  signal?.removeEventListener('abort', wake);
}
