// Reads CSV and TSV with a header row.
import { type CsvRecord, parseCsvRecord, readCsvRecords } from './csv-records.js';
import type { ColumnMap, DataRow } from './dataset.js';
import { DatasetError } from './dataset-error.js';
import { areKnown, describeUnknown, parseJsonColumns, toRow } from './known-columns.js';
import type { Bytes } from './read-bytes.js';

/** A record may have fewer cells than the header, whose columns are then missing from its row, but not more. */
export async function* readCsv(
  bytes: Bytes,
  file: string,
  separator: ',' | '\t',
  map?: ColumnMap,
): AsyncGenerator<DataRow> {
  let columns: string[] | undefined;
  for await (const record of readCsvRecords(bytes, file, separator)) {
    if (columns) yield toDataRow(columns, record, file, map);
    else columns = toColumns(record, file, map);
  }
}

interface CsvTable {
  readonly columns: readonly string[];
  readonly separator: ',' | '\t';
  readonly map?: ColumnMap | undefined;
}

/** Parses the bytes of one record. */
export function parseCsvRow(bytes: Uint8Array, number: number, table: CsvTable, file: string): DataRow {
  return toDataRow(table.columns, parseCsvRecord(bytes, file, number, table.separator), file, table.map);
}

export function toColumns({ cells, number: row }: CsvRecord, file: string, map?: ColumnMap): string[] {
  const columns = cells.map(cell => cell.trim());
  const named = columns.filter(column => column !== '');
  if (!areKnown(named, map))
    throw new DatasetError(file, `its header ${describeUnknown(named, map)}`, { row });
  const known = new Set<string>();
  for (const column of named) {
    if (known.has(column))
      throw new DatasetError(file, `its header has the column ${JSON.stringify(column)} twice`, { row });
    known.add(column);
  }
  return columns;
}

function toDataRow(
  columns: readonly string[],
  { cells, number }: CsvRecord,
  file: string,
  map: ColumnMap | undefined,
): DataRow {
  if (cells.length > columns.length) {
    const reason = `it has ${cells.length} cells, but the header has ${columns.length}`;
    throw new DatasetError(file, reason, { row: number });
  }
  const named = cells.map((cell, index) => [columns[index]!, cell]).filter(([column]) => column !== '');
  const row = toRow(Object.fromEntries(named), file, number, map);
  return { row: parseJsonColumns(row, file, number, map), file, number };
}
