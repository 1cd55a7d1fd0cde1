// Rows of earlier runs among those of a run, so that it keeps what they taught. The seed chooses them, among all that those runs
// trained on.
import { createRandom, PURPOSE, shuffled } from '../random.js';
import { type DataRow, type DataSource, DatasetError, type RowTable } from './data/index.js';

export interface Replay {
  /** Of the rows that the run trains on. */
  share: number;
  sources: readonly ReplaySource[];
}

interface ReplaySource {
  source: DataSource;
  /** What that run held out, which stays unseen. */
  evaluationFraction?: number | undefined;
}

/** How many rows to add to `own` ones; at least one. */
export function countReplayed(own: number, share: number): number {
  return share === 0 ? 0 : Math.max(1, Math.round((own * share) / (1 - share)));
}

/** Of each source, by how many rows it has, the places of those that are chosen, in ascending order. */
export function chooseReplayed(available: readonly number[], wanted: number, seed: number): Uint32Array[] {
  const all = available.reduce((sum, count) => sum + count, 0);
  const chosen = shuffled(all, createRandom(seed, PURPOSE.replay)).subarray(0, wanted).toSorted();
  let first = 0;
  return available.map(count => {
    const [from, to] = [first, first + count];
    first = to;
    return chosen.filter(place => place >= from && place < to).map(place => place - from);
  });
}

/** Its name may be that of the run's own file. */
const ofEarlierRun = (file: string) => `${file} (earlier run)`;

/** The rows with these indices, named as those of an earlier run. */
export function pickRows(table: RowTable, indices: Uint32Array): RowTable {
  const read = (index: number): DataRow => {
    try {
      const found = table.read(indices[index]!);
      return { ...found, file: ofEarlierRun(found.file) };
    } catch (error) {
      if (!(error instanceof DatasetError)) throw error;
      const { file, reason, row, cause } = error;
      throw new DatasetError(ofEarlierRun(file), reason, { ...(row !== undefined && { row }), cause });
    }
  };
  return {
    length: indices.length,
    digest: table.digest,
    bytesOf: index => table.bytesOf(indices[index]!),
    nameOf(index) {
      const { file, number } = table.nameOf(indices[index]!);
      return { file: ofEarlierRun(file), number };
    },
    read,
    *scan() {
      for (const index of indices.keys()) yield read(index);
    },
    close: () => table.close(),
  };
}
