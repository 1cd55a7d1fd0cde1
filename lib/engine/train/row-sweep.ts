// Reads all rows in order and counts what it finds, so that every row is checked although training reads them in another
// order. Callers decide how many rows to read when.
import { setImmediate } from 'node:timers/promises';
import type { RowPart } from './open-rows.js';
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

/** Yields to the event loop after this long. */
const SLICE_MS = 50;
const MAX_NAMED = 5;

export class RowSweep {
  readonly #parts: readonly RowPart[];
  readonly #maxLength: number;
  readonly #named: LongRow[] = [];
  readonly totalRows: number;
  #part = 0;
  #index = 0;
  #truncated = 0;
  #skipped = 0;
  #rows = 0;
  #trainTokens = 0;
  #hasSoft = false;

  constructor(parts: readonly RowPart[], maxLength: number) {
    this.#parts = parts;
    this.#maxLength = maxLength;
    this.totalRows = parts.reduce((sum, { table }) => sum + table.length, 0);
  }

  get rows(): number {
    return this.#rows;
  }

  /** Whether a row so far has a teacher's distribution. */
  get hasSoft(): boolean {
    return this.#hasSoft;
  }

  get isComplete(): boolean {
    return this.#rows === this.totalRows;
  }

  /** Tokens to learn in one epoch; null until all rows have been read. */
  get trainTokens(): number | null {
    return this.isComplete ? this.#trainTokens : null;
  }

  /** Null if there are none so far. */
  get longRows(): LongRows | null {
    if (this.#truncated + this.#skipped === 0) return null;
    return {
      maxLength: this.#maxLength,
      truncated: this.#truncated,
      skipped: this.#skipped,
      first: [...this.#named],
    };
  }

  next(): void {
    while (this.#index === this.#parts[this.#part]!.table.length) {
      this.#part++;
      this.#index = 0;
    }
    const { table, rows, isTrained } = this.#parts[this.#part]!;
    const index = this.#index;
    const example = rows.at(index);
    const isSkipped = example.ids.length === 0;
    const isTooLong = example.length > this.#maxLength;
    if (example.soft) this.#hasSoft = true;
    if (isSkipped) this.#skipped++;
    else if (isTooLong) this.#truncated++;
    if (isTooLong && this.#named.length < MAX_NAMED) {
      const { file, number: row } = table.nameOf(index);
      this.#named.push({ file, row, tokens: example.length });
    }
    if (isTrained(index)) this.#trainTokens += countLabels(example);
    this.#index++;
    this.#rows++;
  }

  /** Reads until this many rows have been read or the time is up. Yields to the event loop in between. */
  async read({
    rows = this.totalRows,
    ms = Number.POSITIVE_INFINITY,
    onSlice,
    signal,
  }: Reading): Promise<void> {
    const end = performance.now() + ms;
    const upTo = Math.min(rows, this.totalRows);
    while (this.#rows < upTo && performance.now() < end) {
      const until = Math.min(end, performance.now() + SLICE_MS);
      do this.next();
      while (this.#rows < upTo && performance.now() < until);
      onSlice?.();
      await setImmediate();
      signal?.throwIfAborted();
    }
  }
}

interface Reading {
  rows?: number;
  ms?: number;
  onSlice?: () => void;
  signal: AbortSignal | undefined;
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
    advance: (ms, signal) => sweep.read({ ms, signal }),
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
