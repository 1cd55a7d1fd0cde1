// The columns that training uses, and the errors for rows without them.
import { describeFormats, formatOf, ROW_FORMATS } from '../../text/row-formats.js';
import { DatasetError } from './dataset-error.js';

/** All columns that training uses; Parquet reads only these. */
export const knownColumns = [...new Set(ROW_FORMATS.flatMap(({ needs, takes }) => [...needs, ...takes]))];

const jsonColumns = ['messages', 'conversations', 'history', 'tools'];
const longestList = 20;

/** Whether a row with these columns can be trained on. */
export function areKnown(columns: readonly string[]): boolean {
  return formatOf(columns) !== null;
}

export function describeUnknown(columns: readonly string[]): string {
  const shown = columns.slice(0, longestList).map(column => JSON.stringify(column.slice(0, 80)));
  if (columns.length > longestList) shown.push('…');
  const found = shown.length === 0 ? 'it has none' : `it has ${shown.join(', ')}`;
  return `needs the column ${describeFormats()}; ${found}`;
}

/** Throws if the value is not a row to train on. */
export function toRow(value: unknown, file: string, number: number): Record<string, unknown> {
  if (!isPlainObject(value)) throw new DatasetError(file, 'not a JSON object', { row: number });
  const columns = Object.keys(value);
  if (!areKnown(columns)) throw new DatasetError(file, describeUnknown(columns), { row: number });
  return value;
}

/** Parses lists that are stored as text, since tables such as CSV cannot hold lists. */
export function parseJsonColumns(
  row: Record<string, unknown>,
  file: string,
  number: number,
): Record<string, unknown> {
  const texts = jsonColumns.filter(column => typeof row[column] === 'string');
  if (texts.length === 0) return row;
  return {
    ...row,
    ...Object.fromEntries(texts.map(column => [column, parseCell(row, column, file, number)])),
  };
}

function parseCell(row: Record<string, unknown>, column: string, file: string, number: number): unknown {
  const text = String(row[column]);
  if (column !== 'messages' && text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DatasetError(file, `its ${column} cell is not valid JSON`, { row: number, cause });
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
