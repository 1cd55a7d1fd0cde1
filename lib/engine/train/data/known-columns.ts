// The columns that training knows, and the refusal of rows that have none of them.
import { DatasetError } from './dataset-error.js';

/** Every column that is looked at; a column store reads no other. */
export const knownColumns = ['messages', 'prompt', 'completion', 'text', 'tools'];

const jsonColumns = ['messages', 'tools'];
const longestList = 20;

/** Whether a row with these columns can be trained on. */
export function areKnown(columns: readonly string[]): boolean {
  const has = (column: string) => columns.includes(column);
  return has('messages') || (has('prompt') && has('completion')) || has('text');
}

/** Why these columns are refused. */
export function describeUnknown(columns: readonly string[]): string {
  const shown = columns.slice(0, longestList).map(column => JSON.stringify(column.slice(0, 80)));
  if (columns.length > longestList) shown.push('…');
  const found = shown.length === 0 ? 'it has none' : `it has ${shown.join(', ')}`;
  return `needs the column messages, or prompt and completion, or text; ${found}`;
}

/** The value as a row, or an error that says why it is none. */
export function toRow(value: unknown, file: string, number: number): Record<string, unknown> {
  if (!isPlainObject(value)) throw new DatasetError(file, 'not a JSON object', { row: number });
  const columns = Object.keys(value);
  if (!areKnown(columns)) throw new DatasetError(file, describeUnknown(columns), { row: number });
  return value;
}

/** The row with the texts parsed that stand for lists, as tables have to hold them. */
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
  if (column === 'tools' && text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DatasetError(file, `the cell of ${column} is not valid JSON`, { row: number, cause });
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
