// Texts about a job's rows: how many have been read, and which are too long.
import type { LongRows } from '../../contract/index.js';
import { formatCount, plural } from './format.js';

/** The total is null while rows are still being found. */
export interface RowsRead {
  readonly rows: number;
  readonly totalRows: number | null;
}

/** `Preparing rows: 120,000 of 663,905` */
export function preparingText({ rows, totalRows }: RowsRead): string {
  return `Preparing rows: ${readCountText({ rows, totalRows })}`;
}

export function readCountText({ rows, totalRows }: RowsRead): string {
  return totalRows === null
    ? `${formatCount(rows)} found so far`
    : `${formatCount(rows)} of ${formatCount(totalRows)}`;
}

/** `3 truncated, 1 skipped` */
export function longRowsText({ truncated, skipped }: LongRows): string {
  const parts = [
    truncated > 0 ? `${formatCount(truncated)} truncated` : null,
    skipped > 0 ? `${formatCount(skipped)} skipped` : null,
  ];
  return parts.filter(part => part !== null).join(', ');
}

/** The same as a sentence that names the first rows. */
export function longRowsSentence(rows: LongRows): string {
  const { truncated, skipped, maxLength, first } = rows;
  const are = truncated + skipped === 1 ? 'is' : 'are';
  const named = first
    .map(({ file, row, tokens }) => `${file} row ${row} (${formatCount(tokens)} tokens)`)
    .join(', ');
  const more = truncated + skipped > first.length ? ', …' : '.';
  return (
    `${plural(truncated + skipped, 'row')} ${are} longer than ${plural(maxLength, 'token')}: ${longRowsText(rows)}. ` +
    `See ${named}${more}`
  );
}

/** The report on overlong rows in an event payload; null if there is none or it is malformed. */
export function readLongRows(value: unknown): LongRows | null {
  if (!isObject(value)) return null;
  const { maxLength, truncated, skipped, first } = value;
  const counts = [maxLength, truncated, skipped];
  if (!counts.every(count => Number.isSafeInteger(count)) || !Array.isArray(first)) return null;
  const named = first.filter(
    entry =>
      isObject(entry) &&
      typeof entry.file === 'string' &&
      Number.isSafeInteger(entry.row) &&
      Number.isSafeInteger(entry.tokens),
  );
  return { ...(value as LongRows), first: named };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
