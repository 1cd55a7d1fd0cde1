// Reads rows by index, in any order.
import { closeSync } from 'node:fs';
import { lowerBound } from '../../text/lower-bound.js';
import { type DataRow, DatasetError } from './dataset.js';
import { readAt } from './scratch-file.js';

export interface RowTable {
  readonly length: number;
  /** Changes with every byte of the content. */
  readonly digest: string;
  /** The size of a row in its file. */
  bytesOf(index: number): number;
  /** The row's file and number, for messages, without reading it. */
  nameOf(index: number): { file: string; number: number };
  /** Throws a `DatasetError` if the row is invalid. */
  read(index: number): DataRow;
  /** All rows in order, which is faster than reading one after the other. */
  scan(): Generator<DataRow>;
  close(): void;
}

export interface IndexedFile {
  readonly name: string;
  readonly fd: number;
  /** The content's position in the file. */
  readonly contentStart: number;
  readonly locations: RowLocations;
  parse(bytes: Uint8Array, number: number): DataRow;
}

export function createRowTable(files: readonly IndexedFile[], digest: string): RowTable {
  const ends: number[] = [];
  for (const { locations } of files) ends.push((ends.at(-1) ?? 0) + locations.length);

  function find(index: number) {
    const at = lowerBound(ends, index + 1);
    const file = files[at]!;
    return { file, index: index - (ends[at - 1] ?? 0) };
  }

  return {
    length: ends.at(-1) ?? 0,
    digest,
    bytesOf(row) {
      const { file, index } = find(row);
      return file.locations.bytesOf(index);
    },
    nameOf(row) {
      const { file, index } = find(row);
      return { file: file.name, number: file.locations.at(index).number };
    },
    read(row) {
      const { file, index } = find(row);
      const { start, bytes, number } = file.locations.at(index);
      const content = readAt(file.fd, file.contentStart + start, bytes);
      if (content.length < bytes) throw truncated(file, number);
      return file.parse(content, number);
    },
    *scan() {
      for (const file of files) yield* scanFile(file);
    },
    close() {
      for (const fd of new Set(files.map(({ fd }) => fd))) closeSync(fd);
    },
  };
}

const BLOCK_BYTES = 1 << 20;

function* scanFile(file: IndexedFile): Generator<DataRow> {
  const { fd, contentStart, locations } = file;
  let block: Uint8Array = new Uint8Array();
  let from = 0;
  for (let index = 0; index < locations.length; index++) {
    const { start, bytes, number } = locations.at(index);
    if (start + bytes > from + block.length) {
      block = readAt(fd, contentStart + start, Math.max(bytes, BLOCK_BYTES));
      from = start;
    }
    const content = block.subarray(start - from, start - from + bytes);
    if (content.length < bytes) throw truncated(file, number);
    yield file.parse(content, number);
  }
}

function truncated({ name }: IndexedFile, row: number): DatasetError {
  return new DatasetError(name, 'the file was truncated while it was read', { row });
}

const BLOCK = 1 << 16;
const FOUR_BYTES = 2 ** 32;

/** Integers below 2^40 in five bytes each. Grows without copying. */
class LongNumbers {
  readonly #low: Uint32Array[] = [];
  readonly #high: Uint8Array[] = [];

  set(index: number, value: number): void {
    const block = Math.floor(index / BLOCK);
    if (block === this.#low.length) {
      this.#low.push(new Uint32Array(BLOCK));
      this.#high.push(new Uint8Array(BLOCK));
    }
    this.#low[block]![index % BLOCK] = value % FOUR_BYTES;
    this.#high[block]![index % BLOCK] = Math.floor(value / FOUR_BYTES);
  }

  get(index: number): number {
    const block = Math.floor(index / BLOCK);
    return this.#high[block]![index % BLOCK]! * FOUR_BYTES + this.#low[block]![index % BLOCK]!;
  }
}

interface RowLocation {
  readonly start: number;
  readonly bytes: number;
  readonly number: number;
}

/**
 * Where the rows of one file are, in ascending order of their numbers. Takes a few bytes for each, since there may be
 * many millions.
 */
export class RowLocations {
  readonly #starts = new LongNumbers();
  readonly #lengths: Uint32Array[] = [];
  /** A row's number is its index plus an offset. Each entry sets the offset from an index on. */
  readonly #jumps: { index: number; offset: number }[] = [];
  length = 0;

  add(start: number, bytes: number, number: number): void {
    const index = this.length++;
    const block = Math.floor(index / BLOCK);
    if (block === this.#lengths.length) this.#lengths.push(new Uint32Array(BLOCK));
    this.#lengths[block]![index % BLOCK] = bytes;
    this.#starts.set(index, start);
    const offset = number - index;
    if (offset !== this.#jumps.at(-1)?.offset) this.#jumps.push({ index, offset });
  }

  bytesOf(index: number): number {
    return this.#lengths[Math.floor(index / BLOCK)]![index % BLOCK]!;
  }

  at(index: number): RowLocation {
    return {
      start: this.#starts.get(index),
      bytes: this.bytesOf(index),
      number: index + this.#offsetAt(index),
    };
  }

  #offsetAt(index: number): number {
    let low = 0;
    let high = this.#jumps.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#jumps[middle]!.index <= index) low = middle;
      else high = middle - 1;
    }
    return this.#jumps[low]!.offset;
  }
}
