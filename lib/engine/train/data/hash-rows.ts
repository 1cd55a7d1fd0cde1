// Hashes what each row of a data set says. Only the columns that are trained on count, so that an ID or a remark beside
// them changes nothing.
import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { formatOf } from '../../text/row-formats.js';
import type { RowTable } from './row-table.js';

const SLICE_MS = 50;

/** One number for each row. Throws a `DatasetError` for an invalid row. */
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

/** The same in every file format and for every order of columns. */
function hashContent(row: Readonly<Record<string, unknown>>): number {
  const { needs = [], takes = [] } = formatOf(Object.keys(row)) ?? {};
  let said = '';
  for (const name of [...needs, ...takes].sort()) {
    const value = row[name];
    if (value === undefined || value === null) continue;
    // Most of a large data set is text, which need not become JSON.
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    said += `${name} ${text.length} ${text}`;
  }
  return Number.parseInt(hash('sha256', said).slice(0, 8), 16);
}
