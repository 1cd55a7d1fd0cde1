// Chooses the rows held out for evaluation by a hash of their content, so that a row stays on its side when the data set
// grows or is shuffled, and equal rows end up on the same side. Ignores the run's seed, so that runs can be compared.
import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { withoutWeight } from '../../../contract/index.js';
import { contentColumns } from '../../text/row-formats.js';
import type { RowTable } from './row-table.js';

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

const SLICE_MS = 50;

/**
 * A hash of each row's content. Only columns that are trained on count, so an extra ID or comment column changes nothing.
 * Throws a `DatasetError` for an invalid row.
 */
export async function hashRows(
  table: Pick<RowTable, 'length' | 'scan'>,
  signal?: AbortSignal,
): Promise<Uint32Array> {
  const hashes = new Uint32Array(table.length);
  let index = 0;
  let until = performance.now() + SLICE_MS;
  for (const { row } of table.scan()) {
    hashes[index++] = hashContent(row);
    if (performance.now() < until) continue;
    await setImmediate();
    signal?.throwIfAborted();
    until = performance.now() + SLICE_MS;
  }
  return hashes;
}

/** What is learned of a row says nothing of what is in it. */
const withoutWeights = (value: unknown) => (Array.isArray(value) ? value.map(withoutWeight) : value);

/** The same in every file format and for every order of columns. */
function hashContent(row: Readonly<Record<string, unknown>>): number {
  let said = '';
  for (const name of contentColumns(row).sort()) {
    const value = row[name];
    if (value === undefined || value === null) continue;
    // Most of a large data set is text, which need not become JSON.
    const text = typeof value === 'string' ? value : JSON.stringify(withoutWeights(value));
    said += `${name} ${text.length} ${text}`;
  }
  return Number.parseInt(hash('sha256', said).slice(0, 8), 16);
}
