// The rows of a large data set, gone through in the course of the training, a few at a time: every row is checked and
// encoded once, and what was found is told now and then.
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

export interface BackgroundReader {
  /** Rows that stand for all; of the longest some are likely among them. */
  readonly sample: readonly Example[];
  /** Changes with the data set and with how it is read. */
  readonly digest: string;
  readonly isComplete: boolean;
  /** Goes on for so long. Throws what is wrong with a row. */
  advance(ms: number, signal?: AbortSignal): Promise<void>;
  /** What it has come to, when that was not told lately; at the end, whatever was not told. */
  takeProgress(isEnd?: boolean): Preparing | null;
}

/** After so long others get their turn. */
const SLICE_MS = 50;
const TOLD_EVERY_MS = 5000;

export function createBackgroundReader(
  sweep: RowSweep,
  sample: readonly Example[],
  digest: string,
): BackgroundReader {
  let told = { rows: sweep.rows, at: performance.now() };
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
      const isDue = isEnd || sweep.isComplete || performance.now() - told.at >= TOLD_EVERY_MS;
      if (!isDue || sweep.rows === told.rows) return null;
      told = { rows: sweep.rows, at: performance.now() };
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
