// Opens the data sets of a run: finds their rows, splits off the evaluation rows, and encodes each row when it is read.
import type { ModelText } from '../text/index.js';
import { lowerBound } from '../text/lower-bound.js';
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
import { chooseReplayed, countReplayed, pickRows, type Replay } from './replay.js';

export interface OpenRows {
  /** A short name of the data set. */
  readonly name: string;
  readonly training: RowSet;
  readonly evaluation: RowSet;
  /** The data set, and the separate one for evaluation if there is one. */
  readonly parts: readonly RowPart[];
  /** After those, the rows of earlier runs that are among the training rows. */
  readonly replayed: readonly RowPart[];
  close(): void;
}

/** A data set: its rows as they are, and as examples. */
export interface RowPart {
  readonly table: RowTable;
  readonly rows: EncodedRows;
  /** The place of its first row among the rows of all parts. */
  readonly first: number;
  /** Whether the row is trained on; the others are for evaluation. */
  isTrained(row: number): boolean;
}

/** The part with this row, by its place among the rows of all parts. */
export function partOf(parts: readonly RowPart[], row: number): RowPart {
  return parts.findLast(({ first }) => row >= first)!;
}

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
  /** Rows of earlier runs to mix in. */
  replay?: Replay | undefined;
  /** The run's folder. */
  folder: string;
}

interface Seeded {
  /** Chooses the rows of earlier runs. */
  seed?: number;
}

/** `onRows` receives the number of rows found so far. */
export async function openRows(
  sources: RowSources & DatasetOptions & Seeded,
  text: ModelText,
  encoding: EncodingOptions,
  onRows: (rows: number) => void,
): Promise<OpenRows> {
  const { source, evaluationSource, replay, folder, seed = 0 } = sources;
  const opened = new Set<{ close(): void }>();
  const close = () => {
    for (const rows of opened) rows.close();
  };

  async function find(from: DataSource, first: number) {
    const dataset = await openDataset(from, sources);
    const table = await dataset.index({ scratchFolder: folder, onRows: rows => onRows(first + rows) });
    opened.add(table);
    return { name: dataset.fileName, table };
  }

  function encode(table: RowTable, first: number): Omit<RowPart, 'isTrained'> {
    const rows = encodeRows(table, text, encoding, folder);
    opened.add(rows);
    return { table, rows, first };
  }

  async function open(from: DataSource, first: number) {
    const { name, table } = await find(from, first);
    // Closed with its rows from here on.
    opened.delete(table);
    return { name, ...encode(table, first) };
  }

  /** Rows of earlier runs, whose places come after those of all others. */
  async function openReplayed({ share, sources: earlier }: Replay, own: number, first: number) {
    const found: { table: RowTable; trained: Uint32Array }[] = [];
    for (const { source: from, evaluationFraction } of earlier) {
      const { table } = await find(from, first);
      const held = await chooseHeld(table, { ...sources, evaluationFraction });
      found.push({ table, trained: complement(table.length, held) });
    }
    const available = found.map(({ trained }) => trained.length);
    const chosen = chooseReplayed(available, countReplayed(own, share), seed);
    let at = first;
    return found.map(({ table, trained }, i) => {
      opened.delete(table);
      const part = encode(
        pickRows(
          table,
          chosen[i]!.map(place => trained[place]!),
        ),
        at,
      );
      at += part.table.length;
      return { ...part, isTrained: () => true };
    });
  }

  try {
    const { name, ...data } = await open(source, 0);
    const separate = evaluationSource && (await open(evaluationSource, data.table.length));
    const held = separate ? new Uint32Array() : await chooseHeld(data.table, sources);
    const isHeld = (row: number) => held[lowerBound(held, row)] === row;
    const own = toSet(data, held.length > 0 ? complement(data.table.length, held) : null);
    const end = data.table.length + (separate?.table.length ?? 0);
    const replayed = replay ? await openReplayed(replay, own.length, end) : [];
    return {
      name,
      training: replayed.length === 0 ? own : joinSets([own, ...replayed.map(toReplayedSet)]),
      replayed,
      evaluation: separate ? toSet(separate, null) : toSet(data, held),
      parts: [
        { ...data, isTrained: row => !isHeld(row) },
        ...(separate ? [{ ...separate, isTrained: () => false }] : []),
      ],
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
function toSet(part: Pick<RowPart, 'table' | 'rows' | 'first'>, indices: Uint32Array | null): RowSet {
  const { table, rows, first } = part;
  const indexOf = (index: number) => (indices ? indices[index]! : index);
  const length = indices?.length ?? table.length;
  return {
    length,
    at(index) {
      const example = rows.at(indexOf(index));
      return example.ids.length > 0 ? example : null;
    },
    rowOf: index => first + indexOf(index),
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

/** Rows of earlier runs, which stay as many as were chosen. */
function toReplayedSet(part: RowPart): RowSet {
  const set = toSet(part, null);
  return { ...set, withoutGaps: () => set };
}

/** One set after the other. */
function joinSets(sets: readonly RowSet[]): RowSet {
  const ends: number[] = [];
  for (const { length } of sets) ends.push((ends.at(-1) ?? 0) + length);
  const find = <T>(index: number, read: (set: RowSet, at: number) => T) => {
    const place = lowerBound(ends, index + 1);
    return read(sets[place]!, index - (ends[place - 1] ?? 0));
  };
  return {
    length: ends.at(-1)!,
    at: index => find(index, (set, at) => set.at(at)),
    rowOf: index => find(index, (set, at) => set.rowOf!(at)),
    bytesOf: index => find(index, (set, at) => set.bytesOf(at)),
    withoutGaps: () => joinSets(sets.map(set => set.withoutGaps())),
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
