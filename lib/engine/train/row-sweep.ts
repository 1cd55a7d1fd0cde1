// Reads all rows in order and counts what it finds, so that every row is checked although training reads them in another
// order. Callers decide how many rows to read when.
import type { EncodedRows } from './encoded-rows.js';
import { countLabels } from './packing.js';

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
