// Rows of earlier runs among those of a run, so that it keeps what they taught. The seed chooses them, among all that those runs
// trained on.
import { createRandom, PURPOSE, shuffled } from '../random.js';
import type { DataSource, RowTable } from './data/index.js';

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

/** The rows with these indices. */
export function pickRows(table: RowTable, indices: Uint32Array): RowTable {
  const read = (index: number) => table.read(indices[index]!);
  return {
    length: indices.length,
    digest: table.digest,
    bytesOf: index => table.bytesOf(indices[index]!),
    nameOf: index => table.nameOf(indices[index]!),
    read,
    *scan() {
      for (const index of indices.keys()) yield read(index);
    },
    close: () => table.close(),
  };
}
