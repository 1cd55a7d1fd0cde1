// Keeps the engine's process alive: started when it is first asked for, started again with back-off when it dies.
// It knows no chats.
import { EngineError, type ServingProcess } from '../../engine/index.js';
import type { BackendState } from '../seams/backend.js';
import { backOffMs } from './back-off.js';

/** One life of the process. */
export interface Life {
  serving: ServingProcess;
  ready: boolean;
  /** Why the model could not be opened; null as long as it may be. */
  fault: EngineError | null;
  /** It was killed because it gave no sign of life any more. */
  hung: boolean;
}

export interface Supervisor {
  /** The process that lives, or a new one. Throws an `EngineError` while it is no use to start one. */
  take(signal?: AbortSignal): Promise<Life>;
  /** The process that lives. */
  readonly life: Life | null;
  /** An answer came to its end: what died before that no longer counts. */
  noteSuccess(): void;
  readonly state: BackendState;
  close(): Promise<void>;
}

export interface SupervisorOptions {
  start: () => ServingProcess;
  log: (line: { message: string; error?: unknown }) => void;
}

/** A chat waits this long for the next start; where it takes longer, it is refused at once. */
const PATIENCE_MS = 2000;
/** A model that cannot be opened is tried again after this long: somebody may have mended its folder. */
const REOPEN_MS = 30_000;

export function createSupervisor({ start, log }: SupervisorOptions): Supervisor {
  let life: Life | null = null;
  let deaths = 0;
  let startAt = 0;
  let fault: EngineError | null = null;
  let lastReason = '';
  let closed = false;

  function begin(): Life {
    const serving = start();
    const born: Life = { serving, ready: false, fault: null, hung: false };
    life = born;
    serving.ready.then(
      () => {
        born.ready = true;
        fault = null;
      },
      error => refuseModel(born, error),
    );
    void serving.ended.then(({ exitCode, signal, hung = false }) => {
      born.hung = hung;
      mourn(born, hung ? 'it stopped responding and was killed' : (signal ?? `exit code ${exitCode}`));
    });
    return born;
  }

  /** A process that died while it opened the model says so at its end; this is about what it said of the model. */
  function refuseModel(born: Life, error: unknown): void {
    if (closed || (error instanceof EngineError && error.code === 'engine_unavailable')) return;
    born.fault = unavailable('The model of this cloud cannot be opened. Run "svc cloud logs" to see why.');
    fault = born.fault;
    startAt = Date.now() + REOPEN_MS;
    if (life === born) life = null;
    beginLater();
    const reason = error instanceof Error ? error.message : String(error);
    if (reason !== lastReason) log({ message: `The model cannot be opened: ${reason}`, error });
    lastReason = reason;
  }

  function mourn(dead: Life, cause: string): void {
    if (closed || life !== dead) return;
    life = null;
    const wait = backOffMs(++deaths);
    startAt = Date.now() + wait;
    log({ message: `The engine stopped (${cause}); restarting${wait ? ` in ${wait} ms` : ''}.` });
    if (wait > PATIENCE_MS)
      fault = unavailable('The engine stopped several times in a row. Try again later.');
    if (dead.ready && wait === 0) begin();
    else if (dead.ready || fault) beginLater();
  }

  /** Nobody may ask for a while, and what is said of the engine's health has to become true again. */
  function beginLater(): void {
    const timer = setTimeout(() => {
      if (!closed && !life && Date.now() >= startAt) begin();
    }, startAt - Date.now());
    timer.unref();
  }

  async function take(signal?: AbortSignal): Promise<Life> {
    for (;;) {
      signal?.throwIfAborted();
      if (closed) throw unavailable('The engine was shut down.');
      if (life) return life;
      const wait = startAt - Date.now();
      if (wait <= 0) return begin();
      if (fault) throw fault;
      await pause(wait, signal);
    }
  }

  return {
    take,
    get life() {
      return life;
    },
    noteSuccess() {
      deaths = 0;
    },
    get state() {
      if (life?.serving.isHung) return 'hung';
      if (life?.ready) return 'ready';
      return fault || closed ? 'failed' : 'starting';
    },
    async close() {
      closed = true;
      const last = life;
      life = null;
      await last?.serving.close();
    },
  };
}

function unavailable(message: string): EngineError {
  return new EngineError('engine_unavailable', message);
}

/** Keeps no process alive, and is over when the signal says so. */
async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let wake = () => {};
  await new Promise<void>(resolve => {
    wake = resolve;
    setTimeout(wake, ms).unref();
    signal?.addEventListener('abort', wake, { once: true });
  });
  signal?.removeEventListener('abort', wake);
}
