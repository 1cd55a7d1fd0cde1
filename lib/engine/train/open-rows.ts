// The data sets of a run, their rows found and ready to be encoded.
import type { ModelText } from '../text/index.js';
import {
  type DataSource,
  type DatasetOptions,
  openDataset,
  type RowTable,
  splitEvaluation,
} from './data/index.js';
import { type EncodedRows, type EncodingOptions, encodeRows } from './encoded-rows.js';
import type { ExampleSet } from './example-set.js';
import type { SweptRows } from './row-sweep.js';

export interface OpenRows {
  /** What the rows were read from, in a word. */
  readonly name: string;
  readonly training: RowSet;
  readonly evaluation: RowSet;
  /** All rows, in their order. */
  readonly swept: readonly SweptRows[];
  readonly tables: readonly RowTable[];
  close(): void;
}

/** Some rows of a data set. */
export interface RowSet extends ExampleSet {
  bytesOf(index: number): number;
  /** The same without the rows that are left out. */
  withoutGaps(): RowSet;
}

export interface RowSources {
  source: DataSource;
  /** Rows to evaluate on: of their own, or a part of the others. */
  evaluationSource?: DataSource | undefined;
  evaluationFraction?: number | undefined;
  /** Where the run keeps what it needs. */
  folder: string;
}

interface Part {
  readonly table: RowTable;
  readonly rows: EncodedRows;
}

/** `onRows` is told how many rows were found so far. */
export async function openRows(
  sources: RowSources & DatasetOptions & { seed: number },
  text: ModelText,
  coding: EncodingOptions,
  onRows: (rows: number) => void,
): Promise<OpenRows> {
  const { source, evaluationSource, evaluationFraction = 0, folder, seed } = sources;
  const parts: Part[] = [];
  const close = () => {
    for (const { rows } of parts) rows.close();
  };

  async function open(from: DataSource): Promise<string> {
    const dataset = await openDataset(from, sources);
    const before = parts.reduce((sum, { table }) => sum + table.length, 0);
    const table = await dataset.index({ scratchFolder: folder, onRows: rows => onRows(before + rows) });
    parts.push({ table, rows: encodeRows(table, text, coding, folder) });
    return dataset.fileName;
  }

  try {
    const name = await open(source);
    if (evaluationSource) await open(evaluationSource);
    const [first, second] = parts as [Part, Part?];
    const held = second
      ? none
      : Uint32Array.from(splitEvaluation(first.table.length, evaluationFraction, seed));
    const swept: SweptRows[] = [{ rows: first.rows, isTrained: row => !contains(held, row) }];
    if (second) swept.push({ rows: second.rows, isTrained: () => false });
    return {
      name,
      training: toSet(first, held.length > 0 ? others(first.table.length, held) : null),
      evaluation: second ? toSet(second, null) : toSet(first, held),
      swept,
      tables: parts.map(({ table }) => table),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

const none = new Uint32Array();

/** The rows with these indices, or all. */
function toSet(part: Part, indices: Uint32Array | null): RowSet {
  const { table, rows } = part;
  const indexOf = (index: number) => (indices ? indices[index]! : index);
  const length = indices?.length ?? table.length;
  return {
    length,
    at(index) {
      const coded = rows.at(indexOf(index));
      return coded.ids.length > 0 ? coded : null;
    },
    bytesOf: index => table.bytesOf(indexOf(index)),
    withoutGaps() {
      const all = Uint32Array.from({ length }, (_, index) => indexOf(index));
      return toSet(
        part,
        all.filter(index => rows.at(index).ids.length > 0),
      );
    },
  };
}

/** The numbers below `count` that are not in a list of ascending ones. */
function others(count: number, ascending: Uint32Array): Uint32Array {
  const found = new Uint32Array(count - ascending.length);
  let at = 0;
  for (let number = 0, next = 0; number < count; number++) {
    if (number === ascending[next]) next++;
    else found[at++] = number;
  }
  return found;
}

function contains(ascending: Uint32Array, number: number): boolean {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ascending[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return ascending[low] === number;
}
