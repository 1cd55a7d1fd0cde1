// How long to wait before the engine is started again, by how often it died in a row.

const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/** Nothing after the first death: one crash is an accident, more of them are a loop. */
export function backOffMs(deathsInARow: number): number {
  if (deathsInARow <= 1) return 0;
  return Math.min(FIRST_MS * 2 ** (deathsInARow - 2), LONGEST_MS);
}
