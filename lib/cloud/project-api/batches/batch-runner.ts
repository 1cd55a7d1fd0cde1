// Runs all unfinished batches side by side, from the start of the cloud on. Their requests share a few places, so that each
// batch makes progress.

import { UNFINISHED_BATCHES } from '../../../contract/index.js';
import { createMutex, doubled } from '../../../system/index.js';
import type { Db } from '../../store/db.js';
import { BatchStop, toPassing } from './answer-line.js';
import { type BatchCounts, changeBatch, listUnfinished } from './batch-rows.js';
import { type BatchContext, type LiveBatch, runBatch } from './run-batch.js';

export interface BatchRunner {
  /** Continues unfinished batches. */
  start(): Promise<void>;
  /** Runs a batch, unless it is running. */
  begin(id: string): void;
  /** Stops a running batch whose status is `cancelling`. */
  cancel(id: string): void;
  /** What a running batch has answered so far, once its log was read. Null if it is not running, or that fails or takes long. */
  countsOf(id: string): Promise<BatchCounts | null>;
  /** Interrupts all batches. */
  close(): Promise<void>;
}

/** How many requests of all batches are answered at a time: one engine batch. */
const PLACES = 8;
const WAITS = { firstMs: 2000, longestMs: 60_000 };
/** How long after a batch's start requests about it wait for its log. */
const PATIENCE_MS = 5000;
/** A file that ends the process of its reader would otherwise be read again forever. */
const MOST_CRASHES = 10;

export function createBatchRunner(given: Omit<BatchContext, 'takePlace' | 'alone' | 'closing'>): BatchRunner {
  const closing = new AbortController();
  const context = { ...given, takePlace: createPlaces(), alone: createMutex(), closing: closing.signal };
  const { clock, log, db } = context;
  const running = new Map<string, LiveBatch & Record<'read' | 'ended', Promise<void>>>();

  /** Waits out temporary faults, such as a full disk. Any other fault fails the batch. */
  async function runToEnd(id: string, live: LiveBatch): Promise<void> {
    let crashes = 0;
    for (let tries = 0; ; tries++) {
      try {
        return await runBatch(context, id, live);
      } catch (error) {
        if (closing.signal.aborted) return;
        const passing = toPassing(error);
        if (passing?.code === 'engine_unavailable') crashes++;
        const isPassing = passing !== null && crashes < MOST_CRASHES;
        if (!isPassing) log({ message: 'A batch failed.', error });
        if (!isPassing && (await giveUp(db, id, new Date(clock.now())))) return;
      } finally {
        live.onRead();
      }
      await clock.sleep(doubled(tries, WAITS), closing.signal).catch(() => {});
      if (closing.signal.aborted) return;
    }
  }

  function begin(id: string): void {
    if (running.has(id) || closing.signal.aborted) return;
    let onRead!: () => void;
    const read = new Promise<void>(resolve => {
      const patience = clock.after(PATIENCE_MS, resolve);
      onRead = () => {
        patience.stop();
        resolve();
      };
    });
    const live: LiveBatch = { stop: new AbortController(), counts: null, onRead };
    const ended = runToEnd(id, live).finally(() => running.delete(id));
    running.set(id, Object.assign(live, { read, ended }));
  }

  return {
    async start() {
      for (const id of await listUnfinished(db)) begin(id);
    },
    begin,
    cancel: id => running.get(id)?.stop.abort(new BatchStop('batch_cancelled')),
    async countsOf(id) {
      const batch = running.get(id);
      await batch?.read;
      return batch?.counts ?? null;
    },
    async close() {
      const reason = new Error('The cloud is shutting down.');
      closing.abort(reason);
      const batches = [...running.values()];
      for (const { stop } of batches) stop.abort(reason);
      await Promise.all(batches.map(({ ended }) => ended));
    },
  };
}

/** Whether that could be stored. */
async function giveUp(db: Db, id: string, at: Date): Promise<boolean> {
  const message = 'The batch could not be processed. The log of the cloud says why.';
  const errors = [{ code: 'internal_error', message, param: null, line: null }];
  try {
    await changeBatch(db, id, { to: 'failed', from: UNFINISHED_BATCHES, at, set: { errors } });
    return true;
  } catch {
    return false;
  }
}

/** Reserves one of these places, in order, and returns a function that frees it. */
function createPlaces(): BatchContext['takePlace'] {
  let free = PLACES;
  const waiting = new Set<() => void>();

  function leave(): void {
    const [next] = waiting;
    if (next) next();
    else free++;
  }

  function untilTurn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        waiting.delete(begin);
        reject(signal.reason);
      };
      const begin = () => {
        waiting.delete(begin);
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      waiting.add(begin);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  return async signal => {
    signal.throwIfAborted();
    if (free > 0) free--;
    else await untilTurn(signal);
    return leave;
  };
}
