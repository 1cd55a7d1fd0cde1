// Which rows of a data set are checked: all of a small one; of a large one the first rows, random ones, and the longest.
import type { RowTable } from '../data/index.js';
import { sampleIndices } from '../sample-rows.js';

/** How much to check. `quick` takes about a second, `usual` half a minute. */
export type CheckEffort = 'quick' | 'usual' | 'all';

interface Budget {
  rows: number;
  bytes: number;
}

/** Half of it is spent on the first rows, and half on random ones. */
const BUDGETS: Readonly<Record<Exclude<CheckEffort, 'all'>, Budget>> = {
  quick: { rows: 1000, bytes: 512 * 1024 },
  usual: { rows: 25_000, bytes: 16 * 1024 ** 2 },
};

/** Ascending indices; null for all. */
export function chooseRows(table: RowTable, effort: CheckEffort): number[] | null {
  if (effort === 'all') return null;
  const { rows, bytes } = BUDGETS[effort];
  if (table.length <= rows && fits(table, bytes)) return null;
  return sampleIndices(table, { rows: Math.ceil(rows / 2), bytes: bytes / 2 });
}

function fits(table: RowTable, most: number): boolean {
  let bytes = 0;
  for (let row = 0; row < table.length && bytes <= most; row++) bytes += table.bytesOf(row);
  return bytes <= most;
}
