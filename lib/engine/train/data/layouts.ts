// The layouts of text formats: where the rows are in a file, and how to parse the bytes of one.
import { readCsvRecords } from './csv-records.js';
import type { DataFile, DataRow, FileFormat } from './dataset.js';
import type { Bytes } from './read-bytes.js';
import { parseCsvRow, toColumns } from './read-csv.js';
import { parseJsonRow, splitJsonLines } from './read-json-lines.js';
import { splitJsonList } from './read-json-list.js';
import { decodeRow, type RowSlice } from './row-buffer.js';

export interface Layout {
  rows(bytes: Bytes): AsyncIterable<Pick<RowSlice, 'start' | 'end' | 'row'>>;
  /** Call it only after `rows`, which reads the header. */
  parse(bytes: Uint8Array, number: number): DataRow;
}

type TextFormat = Exclude<FileFormat, 'parquet'>;

export const layouts: Record<TextFormat, (file: Named) => Layout> = {
  'json-lines': file => jsonLayout(file, splitJsonLines),
  'json-list': file => jsonLayout(file, splitJsonList),
  csv: file => csvLayout(file, ','),
  tsv: file => csvLayout(file, '\t'),
};

type Named = Pick<DataFile, 'name' | 'columns'>;

function jsonLayout(
  { name: file, columns }: Named,
  split: (bytes: Bytes, file: string) => AsyncIterable<RowSlice>,
): Layout {
  return {
    rows: bytes => split(bytes, file),
    parse: (bytes, number) => parseJsonRow(decodeRow(bytes, file, number), number, file, columns),
  };
}

function csvLayout({ name: file, columns: map }: Named, separator: ',' | '\t'): Layout {
  let columns: readonly string[] | undefined;
  return {
    async *rows(bytes) {
      for await (const record of readCsvRecords(bytes, file, separator)) {
        const { start, end, number: row } = record;
        if (columns) yield { start, end, row };
        else columns = toColumns(record, file, map);
      }
    },
    parse: (bytes, number) => parseCsvRow(bytes, number, { columns: columns!, separator, map }, file),
  };
}
