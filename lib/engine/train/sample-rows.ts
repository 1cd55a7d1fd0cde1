// Chooses representative rows of a large data set: the first ones, random ones, and those with the most bytes, which are
// likely the longest.
import { createRandom } from '../random.js';
import type { RowTable } from './data/index.js';
import type { RowSet } from './open-rows.js';

const SAMPLING = 4;
const LONGEST = 16;
/** Larger rows are not sampled for their length, since encoding them takes long. */
const MOST_BYTES = 1024 ** 2;

export interface Limit {
  rows: number;
  bytes: number;
}

/** Whether all rows of the tables are within the limit. */
export function fits(tables: readonly RowTable[], limit: Limit): boolean {
  if (tables.reduce((sum, { length }) => sum + length, 0) > limit.rows) return false;
  let bytes = 0;
  for (const table of tables)
    for (let row = 0; row < table.length && bytes <= limit.bytes; row++) bytes += table.bytesOf(row);
  return bytes <= limit.bytes;
}

/** The part of a row table that sampling needs. */
type Sizes = Pick<RowSet, 'length' | 'bytesOf'>;

/** Ascending. */
export function sampleIndices(set: Sizes, { rows: count, bytes }: Limit): number[] {
  const chosen = new Set(findLargest(set));
  for (let index = 0, spent = 0; index < Math.min(count, set.length) && spent < bytes; index++) {
    chosen.add(index);
    spent += set.bytesOf(index);
  }
  const random = createRandom(SAMPLING, set.length);
  for (let taken = 0, spent = 0; taken < count && spent < bytes; taken++) {
    const index = Math.floor(random.next() * set.length);
    chosen.add(index);
    spent += set.bytesOf(index);
  }
  return [...chosen].sort((a, b) => a - b);
}

function findLargest(rows: Sizes): number[] {
  let largest: { index: number; bytes: number }[] = [];
  let least = 0;
  for (let index = 0; index < rows.length; index++) {
    const bytes = rows.bytesOf(index);
    if (bytes <= least || bytes > MOST_BYTES) continue;
    largest.push({ index, bytes });
    if (largest.length < 2 * LONGEST) continue;
    largest = largest.sort((a, b) => b.bytes - a.bytes).slice(0, LONGEST);
    least = largest.at(-1)!.bytes;
  }
  return largest
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, LONGEST)
    .map(({ index }) => index);
}

/** How much to check. `quick` takes about a second, `usual` half a minute. */
export type CheckEffort = 'quick' | 'usual' | 'all';

/** Half of it is spent on the first rows, and half on random ones. */
const BUDGETS: Readonly<Record<Exclude<CheckEffort, 'all'>, Limit>> = {
  quick: { rows: 1000, bytes: 512 * 1024 },
  usual: { rows: 25_000, bytes: 16 * 1024 ** 2 },
};

/**
 * Which rows of a data set are checked: all of a small one; of a large one the first rows, random ones, and the
 * longest. Ascending indices; null for all.
 */
export function chooseRows(table: RowTable, effort: CheckEffort): number[] | null {
  if (effort === 'all') return null;
  const budget = BUDGETS[effort];
  if (fits([table], budget)) return null;
  return sampleIndices(table, { rows: Math.ceil(budget.rows / 2), bytes: budget.bytes / 2 });
}
