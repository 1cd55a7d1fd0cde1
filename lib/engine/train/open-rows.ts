// Opens the data sets of a run: finds their rows, splits off the evaluation rows, and encodes each row when it is read.
import type { ModelText } from '../text/index.js';
import {
  type DataSource,
  type DatasetOptions,
  hashRows,
  openDataset,
  type RowTable,
  splitByContent,
} from './data/index.js';
import { type EncodedRows, type EncodingOptions, encodeRows } from './encoded-rows.js';
import type { ExampleSet } from './packing.js';
import type { SweptRows } from './row-sweep.js';

export interface OpenRows {
  /** A short name of the data set. */
  readonly name: string;
  readonly training: RowSet;
  readonly evaluation: RowSet;
  /** All rows, in order. */
  readonly swept: readonly SweptRows[];
  readonly tables: readonly RowTable[];
  close(): void;
}

/** Some rows of a data set. */
export interface RowSet extends ExampleSet {
  bytesOf(index: number): number;
  /** A copy without skipped rows. */
  withoutGaps(): RowSet;
}

export interface RowSources {
  source: DataSource;
  /** Evaluation rows come from a separate data set or from a fraction of this one. */
  evaluationSource?: DataSource | undefined;
  evaluationFraction?: number | undefined;
  /** The run's folder. */
  folder: string;
}

interface Part {
  readonly table: RowTable;
  readonly rows: EncodedRows;
}

/** `onRows` receives the number of rows found so far. */
export async function openRows(
  sources: RowSources & DatasetOptions,
  text: ModelText,
  encoding: EncodingOptions,
  onRows: (rows: number) => void,
): Promise<OpenRows> {
  const { source, evaluationSource, folder } = sources;
  const parts: Part[] = [];
  const close = () => {
    for (const { rows } of parts) rows.close();
  };

  async function open(from: DataSource): Promise<string> {
    const dataset = await openDataset(from, sources);
    const before = parts.reduce((sum, { table }) => sum + table.length, 0);
    const table = await dataset.index({ scratchFolder: folder, onRows: rows => onRows(before + rows) });
    parts.push({ table, rows: encodeRows(table, text, encoding, folder) });
    return dataset.fileName;
  }

  try {
    const name = await open(source);
    if (evaluationSource) await open(evaluationSource);
    const [first, second] = parts as [Part, Part?];
    const held = second ? new Uint32Array() : await chooseHeld(first.table, sources);
    const swept: SweptRows[] = [{ rows: first.rows, isTrained: row => !contains(held, row) }];
    if (second) swept.push({ rows: second.rows, isTrained: () => false });
    return {
      name,
      training: toSet(first, held.length > 0 ? complement(first.table.length, held) : null),
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

/** The rows of the table that are held out for evaluation. */
async function chooseHeld(
  table: RowTable,
  { evaluationFraction = 0, signal }: Pick<RowSources, 'evaluationFraction'> & Pick<DatasetOptions, 'signal'>,
): Promise<Uint32Array> {
  if (evaluationFraction === 0) return new Uint32Array();
  return splitByContent(await hashRows(table, signal), evaluationFraction);
}

/** The rows with these indices; all for null. */
function toSet(part: Part, indices: Uint32Array | null): RowSet {
  const { table, rows } = part;
  const indexOf = (index: number) => (indices ? indices[index]! : index);
  const length = indices?.length ?? table.length;
  return {
    length,
    at(index) {
      const example = rows.at(indexOf(index));
      return example.ids.length > 0 ? example : null;
    },
    rowOf: indexOf,
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

/** The numbers below `count` that are not in an ascending list. */
function complement(count: number, ascending: Uint32Array): Uint32Array {
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
