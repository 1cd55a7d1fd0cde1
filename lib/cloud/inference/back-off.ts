// How long to wait before restarting the engine, by the number of crashes in a row.

const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/** No wait after the first crash: one is an accident, more are a loop. */
export function backOffMs(deathsInARow: number): number {
  if (deathsInARow <= 1) return 0;
  return Math.min(FIRST_MS * 2 ** (deathsInARow - 2), LONGEST_MS);
}
