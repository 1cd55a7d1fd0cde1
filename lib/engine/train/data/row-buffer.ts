// The bytes of the row being read, gathered over as many chunks as it takes, up to a limit; and the row's number.
import { DatasetError } from './dataset-error.js';

/** The longest line, list element or CSV row that is read. */
export const maxRowBytes = 16 * 1024 * 1024;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export class RowBuffer {
  readonly #file: string;
  #bytes = new Uint8Array(64 * 1024);
  #length = 0;
  #rowBytes = 0;
  #row = 1;

  constructor(file: string) {
    this.#file = file;
  }

  /** The row being read, counted from 1. */
  get row(): number {
    return this.#row;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(bytes: Uint8Array): void {
    this.skip(bytes.length);
    const end = this.#length + bytes.length;
    if (end > this.#bytes.length) this.#grow(end);
    this.#bytes.set(bytes, this.#length);
    this.#length = end;
  }

  /** Counts bytes of the row that are not kept. */
  skip(count: number): void {
    this.#rowBytes += count;
    if (this.#rowBytes > maxRowBytes) throw this.fault('longer than 16 MB');
  }

  /** What was added since the last call, as text. */
  takeText(): string {
    const bytes = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    try {
      return decoder.decode(bytes);
    } catch (cause) {
      throw this.fault('not valid UTF-8', cause);
    }
  }

  endRow(): void {
    this.#rowBytes = 0;
    this.#row++;
  }

  /** An error about the row being read. */
  fault(reason: string, cause?: unknown): DatasetError {
    return new DatasetError(this.#file, reason, { row: this.#row, cause });
  }

  #grow(size: number): void {
    const larger = new Uint8Array(Math.max(size, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
