// The rows of a large data set, gone through beside the training, whenever the process has nothing else to do: every
// row is checked and encoded once, and what was found is told now and then.
import { setImmediate } from 'node:timers/promises';
import type { Example } from './packing.js';
import type { LongRows, RowSweep } from './row-sweep.js';

export interface Preparing {
  type: 'preparing';
  rows: number;
  /** Null while they are still being found. */
  totalRows: number | null;
  tooLong?: LongRows;
  /** Tokens that are learned in one epoch, once all rows were read. */
  trainTokens?: number;
}

export interface Reading {
  /** Rows that stand for all; of the longest some are likely among them. */
  readonly sample: readonly Example[];
  /** Changes with the data set and with how it is read. */
  readonly digest: string;
  readonly isComplete: boolean;
  start(): void;
  /** What it has come to, when that was not told lately; at the end, whatever was not told. Throws what is wrong with a row. */
  news(isEnd?: boolean): Preparing | null;
  stop(): Promise<void>;
}

/** How long the training may wait for it, now and then. */
const SLICE_MS = 5;
const TOLD_EVERY_MS = 5000;

export function createReading(sweep: RowSweep, sample: readonly Example[], digest: string): Reading {
  let running: Promise<void> | undefined;
  let isStopped = false;
  let fault: { error: unknown } | undefined;
  let told = { rows: sweep.rows, at: performance.now() };

  async function run(): Promise<void> {
    try {
      while (!isStopped && !sweep.isComplete) {
        const until = performance.now() + SLICE_MS;
        while (!sweep.isComplete && performance.now() < until) sweep.next();
        await setImmediate();
      }
    } catch (error) {
      fault = { error };
    }
  }

  return {
    sample,
    digest,
    get isComplete() {
      return sweep.isComplete;
    },
    start() {
      running ??= run();
    },
    news(isEnd = false) {
      if (fault) throw fault.error;
      const isDue = isEnd || sweep.isComplete || performance.now() - told.at >= TOLD_EVERY_MS;
      if (!isDue || sweep.rows === told.rows) return null;
      told = { rows: sweep.rows, at: performance.now() };
      return describeSweep(sweep);
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

export function describeSweep({ rows, totalRows, longRows, trainTokens }: RowSweep): Preparing {
  return {
    type: 'preparing',
    rows,
    totalRows,
    ...(longRows && { tooLong: longRows }),
    ...(trainTokens !== null && { trainTokens }),
  };
}
