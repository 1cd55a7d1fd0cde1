// Collects the bytes of the current row across chunks, up to a limit, and tracks its number and position.
import { type DataRow, DatasetError } from './dataset.js';
import type { Bytes } from './read-bytes.js';

/** The limit for a line, list element or CSV row. @internal */
export const maxRowBytes = 16 * 1024 * 1024;

const SPACE = 0x20;
const NOT_ASCII = 0x80;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/** A row's position in the content, without its line break. */
export interface FoundRow {
  readonly start: number;
  readonly end: number;
  /** Counts from 1. */
  readonly row: number;
}

/** Its text is only available until the next row. */
export interface RowSlice extends FoundRow {
  takeText(): string;
}

/** How to find and parse the rows of one file, both as a stream and for an index. */
export interface Layout<Found extends FoundRow = FoundRow> {
  /** Separates the rows without parsing them. */
  rows(bytes: Bytes): AsyncIterable<Found>;
  /** Parses the row that was found last. */
  read(found: Found): DataRow;
  /** Parses the bytes of any row. Call it only after `rows`, which reads the header. */
  parse(bytes: Uint8Array, number: number): DataRow;
}

/** The error names the row. */
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

  /** The number of the current row; counts from 1. */
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

  /** Counts bytes of the row without storing them. */
  skip(count: number): void {
    this.#rowBytes += count;
    if (this.#rowBytes > maxRowBytes) throw this.error('longer than 16 MB');
  }

  /** The text added since the last call. */
  takeText(): string {
    const bytes = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return decodeRow(bytes, this.#file, this.#row);
  }

  /** Whether only white space was added since the last `takeText`. */
  get isBlank(): boolean {
    const first = this.#bytes[0]!;
    if (this.#length > 0 && first > SPACE && first < NOT_ASCII) return false;
    return lenient.decode(this.#bytes.subarray(0, this.#length)).trim() === '';
  }

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

  error(reason: string): DatasetError {
    return new DatasetError(this.#file, reason, { row: this.#row });
  }

  #grow(size: number): void {
    const larger = new Uint8Array(Math.max(size, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
