// The bytes of the row being read, gathered over as many chunks as it takes, up to a limit; its number, and its place.
import { DatasetError } from './dataset-error.js';

/** The longest line, list element or CSV row that is read. */
export const maxRowBytes = 16 * 1024 * 1024;

const SPACE = 0x20;
const NOT_ASCII = 0x80;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/** Where a row lies in its file's content, and its bytes, which are gone when the next row is read. */
export interface RowSlice {
  readonly start: number;
  readonly end: number;
  /** The row's number, counted from 1. */
  readonly row: number;
  takeText(): string;
}

/** The text of a row, or an error that says which row is none. */
export function decodeRow(bytes: Uint8Array, file: string, row: number): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new DatasetError(file, 'not valid UTF-8', { row, cause });
  }
}

export class RowBuffer implements RowSlice {
  readonly #file: string;
  #bytes = new Uint8Array(64 * 1024);
  #length = 0;
  #rowBytes = 0;
  #row: number;
  start = 0;
  end = 0;

  constructor(file: string, firstRow = 1) {
    this.#file = file;
    this.#row = firstRow;
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
    return decodeRow(bytes, this.#file, this.#row);
  }

  /** Whether only white space was added since the last call of `takeText`. */
  get isBlank(): boolean {
    const first = this.#bytes[0]!;
    if (this.#length > 0 && first > SPACE && first < NOT_ASCII) return false;
    return lenient.decode(this.#bytes.subarray(0, this.#length)).trim() === '';
  }

  /** The row with its place. */
  at(start: number, end: number): RowSlice {
    this.start = start;
    this.end = end;
    return this;
  }

  endRow(): void {
    this.#length = 0;
    this.#rowBytes = 0;
    this.#row++;
  }

  /** An error about the row being read. */
  fault(reason: string): DatasetError {
    return new DatasetError(this.#file, reason, { row: this.#row });
  }

  #grow(size: number): void {
    const larger = new Uint8Array(Math.max(size, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
