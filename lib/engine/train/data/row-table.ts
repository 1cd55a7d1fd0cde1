// Reads rows by index, in any order.
import { closeSync } from 'node:fs';
import { lowerBound } from '../../text/lower-bound.js';
import type { DataRow } from './dataset.js';
import { DatasetError } from './dataset-error.js';
import type { RowLocations } from './row-locations.js';
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

/** A file with known row locations. */
export interface IndexedFile {
  readonly name: string;
  readonly fd: number;
  /** The content's position in the file. */
  readonly contentStart: number;
  readonly locations: RowLocations;
  parse(bytes: Uint8Array, number: number): DataRow;
}

/** The rows of all files in order. */
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

/** Reads many rows at once. */
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
