// Keeps the engine's process alive: starts it on demand and restarts it with back-off after a crash. It knows nothing about
// chats.
import { type Clock, realClock } from '../../clock/index.js';
import { EngineError, type ServingProcess } from '../../engine/index.js';
import { doubled } from '../../system/index.js';
import { type BackendState, unavailable } from '../seams/backend.js';
import { toStorageFault } from '../store/storage-fault.js';

/** One run of the engine's process. */
export interface Worker {
  serving: ServingProcess;
  ready: boolean;
  /** Why the model could not be opened; null if it was, or is still opening. */
  fault: EngineError | null;
  /** It was killed because it stopped responding. */
  hung: boolean;
}

interface SupervisorOptions {
  start: () => ServingProcess;
  log: (line: { message: string; error?: unknown }) => void;
  clock?: Clock | undefined;
}

/** Chats wait up to this long for the next start, and are rejected at once if it is further away. */
const PATIENCE_MS = 2000;
/** Retries a model that cannot be opened after this time, since someone may have fixed its folder. */
const REOPEN_MS = 30_000;

const RESTART_WAITS = { firstMs: 500, longestMs: 30_000 };

/** The wait after this many consecutive crashes. One is an accident, so it has no wait; more are a loop. @internal */
export function restartWaitMs(crashes: number): number {
  return crashes <= 1 ? 0 : doubled(crashes - 2, RESTART_WAITS);
}

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #clock: Clock;
  readonly #closed = new AbortController();
  #current: Worker | null = null;
  #crashes = 0;
  #startAt = 0;
  #fault: EngineError | null = null;
  #lastReason = '';

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#clock = options.clock ?? realClock;
  }

  /** The current process. */
  get current(): Worker | null {
    return this.#current;
  }

  get #isClosed(): boolean {
    return this.#closed.signal.aborted;
  }

  get state(): BackendState {
    if (this.#current?.serving.isHung) return 'hung';
    if (this.#current?.ready) return 'ready';
    return this.#fault || this.#isClosed ? 'failed' : 'starting';
  }

  /** The current process, or a new one. Throws an `EngineError` while a start is pointless. */
  async acquire(signal?: AbortSignal): Promise<Worker> {
    for (;;) {
      signal?.throwIfAborted();
      if (this.#isClosed) throw unavailable('The engine was shut down.');
      if (this.#current) return this.#current;
      const wait = this.#startAt - this.#clock.elapsed();
      if (wait <= 0) return this.#start();
      if (this.#fault) throw this.#fault;
      await this.#pause(wait, signal);
    }
  }

  /** An answer completed, so earlier crashes no longer count. */
  noteSuccess(): void {
    this.#crashes = 0;
  }

  async close(): Promise<void> {
    this.#closed.abort();
    await this.retire();
  }

  /** Ends the current process; the next request starts another one. */
  async retire(): Promise<void> {
    const last = this.#current;
    this.#current = null;
    await last?.serving.close();
  }

  #start(): Worker {
    const serving = this.#options.start();
    const worker: Worker = { serving, ready: false, fault: null, hung: false };
    this.#current = worker;
    serving.ready.then(
      () => {
        worker.ready = true;
        this.#fault = null;
      },
      error => this.#onNotOpened(worker, error),
    );
    void serving.ended.then(ended => {
      worker.hung = ended.hung ?? false;
      this.#onExit(worker, describeEnd(ended));
    });
    return worker;
  }

  /** Only for failures to open the model. A crash while opening is handled on exit. */
  #onNotOpened(worker: Worker, error: unknown): void {
    const hasCrashed = error instanceof EngineError && error.code === 'engine_unavailable';
    if (this.#isClosed || hasCrashed) return;
    const why = toStorageFault(error)?.message ?? 'Run "svc cloud logs" to see why.';
    worker.fault = unavailable(`The model of this cloud cannot be opened. ${why}`);
    this.#fault = worker.fault;
    this.#startAt = this.#clock.elapsed() + REOPEN_MS;
    if (this.#current === worker) this.#current = null;
    this.#startLater();
    const reason = error instanceof Error ? error.message : String(error);
    if (reason !== this.#lastReason)
      this.#options.log({ message: `The model cannot be opened: ${reason}`, error });
    this.#lastReason = reason;
  }

  #onExit(dead: Worker, cause: string): void {
    if (this.#isClosed || this.#current !== dead) return;
    this.#current = null;
    const wait = restartWaitMs(++this.#crashes);
    this.#startAt = this.#clock.elapsed() + wait;
    const when = wait ? ` in ${wait} ms` : '';
    this.#options.log({ message: `The engine stopped (${cause}); restarting${when}.` });
    if (wait > PATIENCE_MS)
      this.#fault = unavailable('The engine stopped several times in a row. Try again later.');
    if (dead.ready && wait === 0) this.#start();
    else if (dead.ready || this.#fault) this.#startLater();
  }

  /** Restarts even without requests, so that the reported health becomes current again. */
  #startLater(): void {
    this.#clock.after(this.#startAt - this.#clock.elapsed(), () => {
      if (!this.#isClosed && !this.#current && this.#clock.elapsed() >= this.#startAt) this.#start();
    });
  }

  /** Ends early if the signal is aborted, or this is closed. */
  async #pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    const closed = this.#closed.signal;
    await this.#clock.sleep(ms, signal ? AbortSignal.any([signal, closed]) : closed).catch(() => {});
  }
}

function describeEnd({ exitCode, signal, hung, startFault }: Awaited<ServingProcess['ended']>): string {
  if (hung) return 'it stopped responding and was killed';
  if (startFault !== undefined) return `it could not be started: ${startFault}`;
  return signal ?? `exit code ${exitCode}`;
}
