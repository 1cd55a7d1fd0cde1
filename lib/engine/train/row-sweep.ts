// Reads all rows in order and counts what it finds, so that every row is checked although training reads them in another
// order. Callers decide how many rows to read when.
import { setImmediate } from 'node:timers/promises';
import type { EncodedRows } from './encoded-rows.js';
import { countLabels, type Example } from './packing.js';

interface LongRow {
  readonly file: string;
  readonly row: number;
  readonly tokens: number;
}

/** Statistics about the rows that are longer than `maxLength`. */
export interface LongRows {
  readonly maxLength: number;
  readonly truncated: number;
  /** Skipped on request, or because truncating would leave nothing to learn. */
  readonly skipped: number;
  /** The first few. */
  readonly first: LongRow[];
}

export interface SweptRows {
  readonly rows: EncodedRows;
  /** Whether the row is trained on; the others are for evaluation. */
  isTrained(index: number): boolean;
}

const MAX_NAMED = 5;

export class RowSweep {
  readonly #parts: readonly SweptRows[];
  readonly #maxLength: number;
  readonly #named: LongRow[] = [];
  readonly totalRows: number;
  #part = 0;
  #index = 0;
  #truncated = 0;
  #skipped = 0;
  #rows = 0;
  #trainTokens = 0;

  constructor(parts: readonly SweptRows[], maxLength: number) {
    this.#parts = parts;
    this.#maxLength = maxLength;
    this.totalRows = parts.reduce((sum, { rows }) => sum + rows.length, 0);
  }

  /** The number of rows read so far. */
  get rows(): number {
    return this.#rows;
  }

  get isComplete(): boolean {
    return this.#rows === this.totalRows;
  }

  /** Tokens to learn in one epoch; null until all rows have been read. */
  get trainTokens(): number | null {
    return this.isComplete ? this.#trainTokens : null;
  }

  /** Null as long as there are none. */
  get longRows(): LongRows | null {
    if (this.#truncated + this.#skipped === 0) return null;
    return {
      maxLength: this.#maxLength,
      truncated: this.#truncated,
      skipped: this.#skipped,
      first: [...this.#named],
    };
  }

  /** Reads the next row; throws if it is invalid. */
  next(): void {
    while (this.#index === this.#parts[this.#part]!.rows.length) {
      this.#part++;
      this.#index = 0;
    }
    const { rows, isTrained } = this.#parts[this.#part]!;
    const index = this.#index;
    const example = rows.at(index);
    const isSkipped = example.ids.length === 0;
    const isTooLong = example.length > this.#maxLength;
    if (isSkipped) this.#skipped++;
    else if (isTooLong) this.#truncated++;
    if (isTooLong && this.#named.length < MAX_NAMED)
      this.#named.push({ ...rows.nameOf(index), tokens: example.length });
    if (isTrained(index)) this.#trainTokens += countLabels(example);
    this.#index++;
    this.#rows++;
  }
}

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

/**
 * Reads a large data set during training, a few rows at a time: checks and encodes every row once, and reports progress
 * from time to time.
 */
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
