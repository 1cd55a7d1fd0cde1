// The columns that training uses, and the errors for rows without them.
import { describeFormats, formatOf, LOGPROBS, ROW_FORMATS } from '../../text/row-formats.js';
import { type ColumnMap, DatasetError } from './dataset.js';

/** All columns that training uses; Parquet reads only these. */
const knownColumns = [
  ...new Set(ROW_FORMATS.flatMap(({ needs, takes, leads = [] }) => [...needs, ...takes, ...leads])),
];

const jsonColumns = ['messages', 'conversations', 'history', 'tools'];
/** Those of rows with two answers, which may be texts or lists of messages. */
const mixedColumns = ['prompt', 'input', 'chosen', 'rejected', 'preferred_output', 'non_preferred_output'];
const longestList = 20;

/** Columns that a row may have in addition to those that a map names. */
const BESIDE = ['tools', 'system', LOGPROBS];

/** Stands for a map where all columns are wanted, whatever they are called, with their values as they are. */
export const ANY_COLUMNS: ColumnMap = Object.freeze({});

/** The same, with the values that training gets from tables. */
export const ANY_PARSED: ColumnMap = Object.freeze({});

const isAny = (map: ColumnMap | undefined) => map === ANY_COLUMNS || map === ANY_PARSED;

/** The names that columns have for training. A map names all of them, so that no other column decides the format. */
function mapColumns(columns: readonly string[], map: ColumnMap | undefined): readonly string[] {
  if (!map) return columns;
  const mapped = Object.keys(map).filter(name => columns.includes(map[name]!));
  const taken = new Set([...mapped, ...Object.values(map)]);
  return [...mapped, ...BESIDE.filter(column => columns.includes(column) && !taken.has(column))];
}

/** Whether a row with these columns can be trained on. */
export function areKnown(columns: readonly string[], map?: ColumnMap): boolean {
  return isAny(map) || formatOf(mapColumns(columns, map)) !== null;
}

/** The columns of a data set that training uses. */
export function usedColumns(columns: readonly string[], map?: ColumnMap): string[] {
  if (isAny(map)) return [...columns];
  if (!map) return knownColumns.filter(column => columns.includes(column));
  return [...new Set(mapColumns(columns, map).map(name => map[name] ?? name))];
}

export function describeUnknown(columns: readonly string[], map: ColumnMap = {}): string {
  const absent = Object.entries(map).find(([, column]) => !columns.includes(column));
  if (absent)
    return `has no column ${JSON.stringify(absent[1])}, which is named for ${absent[0]}; ${describeFound(columns)}`;
  return `needs the column ${describeFormats()}; ${describeFound(columns)}`;
}

function describeFound(columns: readonly string[]): string {
  const shown = columns.slice(0, longestList).map(column => JSON.stringify(column.slice(0, 80)));
  if (columns.length > longestList) shown.push('…');
  return shown.length === 0 ? 'it has none' : `it has ${shown.join(', ')}`;
}

/** The row with the columns that training knows. Throws if the value is not a row to train on. */
export function toRow(
  value: unknown,
  file: string,
  number: number,
  map?: ColumnMap,
): Record<string, unknown> {
  if (!isPlainObject(value)) throw new DatasetError(file, 'not a JSON object', { row: number });
  const columns = Object.keys(value);
  if (!areKnown(columns, map)) throw new DatasetError(file, describeUnknown(columns, map), { row: number });
  if (!map || isAny(map)) return value;
  return Object.fromEntries(mapColumns(columns, map).map(name => [name, value[map[name] ?? name]]));
}

/** Parses lists that are stored as text, since tables such as CSV cannot hold lists. */
export function parseJsonColumns(
  row: Record<string, unknown>,
  file: string,
  number: number,
  map?: ColumnMap,
): Record<string, unknown> {
  if (map === ANY_COLUMNS) return row;
  const format = formatOf(Object.keys(row));
  const mixed = format?.method === 'dpo' ? mixedColumns : [];
  const trained = format ? [...format.needs, ...format.takes] : [];
  // Columns that are not trained on may be called the same, and be plain texts.
  const isList = (column: string) =>
    map !== ANY_PARSED || trained.includes(column) || isJsonCell(String(row[column]));
  const texts = jsonColumns.filter(column => typeof row[column] === 'string' && isList(column));
  const lists = mixed.flatMap(column => {
    const cell = row[column];
    if (typeof cell !== 'string') return [];
    if (PYTHON_LIST.test(cell)) return [[column, parseCell(row, column, file, number)] as const];
    const messages = findMessages(cell);
    return messages === null ? [] : [[column, messages] as const];
  });
  if (texts.length + lists.length === 0) return row;
  return {
    ...row,
    ...Object.fromEntries(texts.map(column => [column, parseCell(row, column, file, number)])),
    ...Object.fromEntries(lists),
  };
}

/** A list of messages as Python writes it, which is no JSON. */
const PYTHON_LIST = /^\s*\[\s*\{\s*'(?:role|content|from|value)'\s*:/;

/**
 * A list of messages, or an object with one; null for a cell with anything else, which is a text. Messages of ShareGPT count: they
 * are refused with what to write instead.
 */
function findMessages(cell: string): object | null {
  if (!/^\s*[[{]/.test(cell)) return null;
  try {
    const value: unknown = JSON.parse(cell);
    const list = isPlainObject(value) ? value.messages : value;
    const isMessage = (one: unknown) =>
      isPlainObject(one) && [one.role, one.from && one.value].some(given => typeof given === 'string');
    return Array.isArray(list) && list.length > 0 && list.every(isMessage) ? (value as object) : null;
  } catch {
    return null;
  }
}

function isJsonCell(cell: string): boolean {
  if (cell.trim() === '') return true;
  try {
    return typeof JSON.parse(cell) === 'object';
  } catch {
    return false;
  }
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
