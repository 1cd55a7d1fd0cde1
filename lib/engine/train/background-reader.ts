// Reads a large data set during training, a few rows at a time: checks and encodes every row once, and reports progress
// from time to time.
import { setImmediate } from 'node:timers/promises';
import type { Example } from './packing.js';
import type { LongRows, RowSweep } from './row-sweep.js';

export interface Preparing {
  type: 'preparing';
  rows: number;
  /** Null until all rows have been found. */
  totalRows: number | null;
  tooLong?: LongRows;
  /** Tokens to learn in one epoch, once all rows have been read. */
  trainTokens?: number;
}

export interface BackgroundReader {
  /** Representative rows, likely including some of the longest. */
  readonly sample: readonly Example[];
  /** Changes with the data set and with how it is read. */
  readonly digest: string;
  readonly isComplete: boolean;
  /** Reads for this long. Throws if a row is invalid. */
  advance(ms: number, signal?: AbortSignal): Promise<void>;
  /** Progress to report now, if any; at the end, all that was not reported yet. */
  takeProgress(isEnd?: boolean): Preparing | null;
}

/** Yields to the event loop after this long. */
const SLICE_MS = 50;
const REPORT_EVERY_MS = 5000;

export function createBackgroundReader(
  sweep: RowSweep,
  sample: readonly Example[],
  digest: string,
): BackgroundReader {
  let reported = { rows: sweep.rows, at: performance.now() };
  return {
    sample,
    digest,
    get isComplete() {
      return sweep.isComplete;
    },
    async advance(ms, signal) {
      const end = performance.now() + ms;
      while (!sweep.isComplete && performance.now() < end) {
        const until = Math.min(end, performance.now() + SLICE_MS);
        do sweep.next();
        while (!sweep.isComplete && performance.now() < until);
        await setImmediate();
        signal?.throwIfAborted();
      }
    },
    takeProgress(isEnd = false) {
      const isDue = isEnd || sweep.isComplete || performance.now() - reported.at >= REPORT_EVERY_MS;
      if (!isDue || sweep.rows === reported.rows) return null;
      reported = { rows: sweep.rows, at: performance.now() };
      return describeSweep(sweep);
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
