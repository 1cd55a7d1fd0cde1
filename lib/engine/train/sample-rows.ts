// Chooses representative rows of a large data set: the first ones, random ones, and those with the most bytes, which are
// likely the longest.
import { createRandom } from '../random.js';
import type { RowSet } from './open-rows.js';

const SAMPLING = 4;
const LONGEST = 16;
/** Larger rows are not sampled for their length, since encoding them takes long. */
const MOST_BYTES = 1024 ** 2;

/** As much as is needed of a set of rows to choose among them. */
type Sizes = Pick<RowSet, 'length' | 'bytesOf'>;

/** Ascending. */
export function sampleIndices(set: Sizes, { rows: count, bytes }: { rows: number; bytes: number }): number[] {
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
