// Chooses the rows held out for evaluation: by what they say, so that a row stays on its side when the data set grows or
// is shuffled, and equal rows are on the same side. The seed of a run has no say in it, so that runs can be compared.

const HASHES = 2 ** 32;

/**
 * Ascending indices of the held-out rows: those with the lowest hashes, about a `fraction` of the different rows. At
 * least one row is on each side, unless all are equal. Empty if the fraction is 0.
 */
export function splitByContent(hashes: Uint32Array, fraction: number): Uint32Array {
  if (!(fraction >= 0 && fraction < 1)) throw new RangeError('fraction must be at least 0 and less than 1');
  if (fraction === 0) return new Uint32Array();
  let [lowest, highest] = [HASHES, -1];
  for (const hash of hashes) {
    if (hash < lowest) lowest = hash;
    if (hash > highest) highest = hash;
  }
  const limit = Math.min(Math.max(fraction * HASHES, lowest + 1), highest);
  const held: number[] = [];
  for (const [index, hash] of hashes.entries()) if (hash < limit) held.push(index);
  return Uint32Array.from(held);
}
