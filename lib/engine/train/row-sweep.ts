// Goes through all rows in their order and sums up what it finds, which is how every row is checked also where a run
// takes its rows in another order. It knows nothing of time: who calls it says how far to go.
import type { EncodedRows } from './encoded-rows.js';
import { countLabels } from './packing.js';

export interface LongRow {
  readonly file: string;
  readonly row: number;
  readonly tokens: number;
}

/** Of the rows that are longer than the longest that is trained on. */
export interface LongRows {
  readonly maxLength: number;
  /** Lost their end. */
  readonly truncated: number;
  /** Were left out: so it was asked for, or nothing to learn would be left of them. */
  readonly skipped: number;
  /** The first few. */
  readonly first: LongRow[];
}

/** Rows to go through. */
export interface SweptRows {
  readonly rows: EncodedRows;
  /** Whether what it learns counts as training; the others are evaluated on. */
  isTrained(index: number): boolean;
}

const NAMED = 5;

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

  /** How many rows it has seen. */
  get rows(): number {
    return this.#rows;
  }

  get isComplete(): boolean {
    return this.#rows === this.totalRows;
  }

  /** Tokens that are learned in one epoch; null until all rows were seen. */
  get trainTokens(): number | null {
    return this.isComplete ? this.#trainTokens : null;
  }

  get skipped(): number {
    return this.#skipped;
  }

  /** Null while there are none. */
  get longRows(): LongRows | null {
    if (this.#truncated + this.#skipped === 0) return null;
    return {
      maxLength: this.#maxLength,
      truncated: this.#truncated,
      skipped: this.#skipped,
      first: [...this.#named],
    };
  }

  /** Takes the next row; throws what is wrong with it. */
  next(): void {
    while (this.#index === this.#parts[this.#part]!.rows.length) {
      this.#part++;
      this.#index = 0;
    }
    const { rows, isTrained } = this.#parts[this.#part]!;
    const index = this.#index;
    const coded = rows.at(index);
    const isLeftOut = coded.ids.length === 0;
    if (isLeftOut) this.#skipped++;
    else if (coded.length > coded.ids.length) this.#truncated++;
    if (coded.length > coded.ids.length && this.#named.length < NAMED)
      this.#named.push({ ...rows.nameOf(index), tokens: coded.length });
    if (isTrained(index)) this.#trainTokens += countLabels(coded);
    this.#index++;
    this.#rows++;
  }
}
