// Rows of CSV and TSV, which have a header.
import { type ColumnMap, type DataRow, DatasetError, type NamedFile } from './dataset.js';
import { areKnown, describeUnknown, parseJsonColumns, toRow } from './known-columns.js';
import type { Bytes } from './read-bytes.js';
import { type FoundRow, type Layout, RowBuffer } from './row-buffer.js';

type Separator = ',' | '\t';

/** Rows under a header. One may have fewer cells, whose columns are then missing from it, but not more. */
export function csvLayout({ name: file, columns: map }: NamedFile, separator: Separator): Layout<CsvRecord> {
  let columns: readonly string[] = [];
  const read = (record: CsvRecord) => toDataRow(columns, record, file, map);
  return {
    async *rows(bytes) {
      const records = readCsvRecords(bytes, file, separator);
      const { value: header } = await records.next();
      if (header) columns = toColumns(header, file, map);
      yield* records;
    },
    read,
    parse: (bytes, row) => read(parseCsvRecord(bytes, file, row, separator)),
  };
}

/** @internal */
export function toColumns({ cells, row }: CsvRecord, file: string, map?: ColumnMap): string[] {
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
  { cells, row: number }: CsvRecord,
  file: string,
  map: ColumnMap | undefined,
): DataRow {
  if (cells.length > columns.length) {
    const reason = `it has ${cells.length} cells, but the header has ${columns.length}`;
    throw new DatasetError(file, reason, { row: number });
  }
  const named = cells.map((cell, index) => [columns[index]!, cell]).filter(([column]) => column !== '');
  const known = toRow(Object.fromEntries(named), file, number, map);
  return { row: parseJsonColumns(known, file, number, map), file, number };
}

/** Blank ones count. */
export interface CsvRecord extends FoundRow {
  readonly cells: readonly string[];
}

const [quote, carriageReturn, lineFeed] = [0x22, 0x0d, 0x0a];

/** Cells in a record. */
const mostColumns = 10_000;

/**
 * Parses CSV (RFC 4180) from bytes, so that errors can name the record that is not valid UTF-8. Also accepts records
 * that end with a carriage return alone, and quotes in the middle of an unquoted cell. Knows nothing about headers.
 * Skips blank records.
 * @internal
 */
export async function* readCsvRecords(
  bytes: Bytes,
  file: string,
  separator: Separator,
): AsyncGenerator<CsvRecord> {
  const parser = new CsvParser(new RowBuffer(file), separator.charCodeAt(0));
  for await (const chunk of bytes) yield* parser.push(chunk);
  yield* parser.end();
}

function parseCsvRecord(bytes: Uint8Array, file: string, row: number, separator: Separator): CsvRecord {
  const parser = new CsvParser(new RowBuffer(file, row), separator.charCodeAt(0));
  return [...parser.push(bytes), ...parser.end()][0]!;
}

/** The position in a cell: before its first byte, unquoted, inside quotes, or after a quote inside quotes. */
type CellState = 'start' | 'plain' | 'quoted' | 'closed';

class CsvParser {
  readonly #buffer: RowBuffer;
  readonly #separator: number;
  #state: CellState = 'start';
  #cells: string[] = [];
  #hasContent = false;
  #afterReturn = false;
  /** The start of the chunk in the content. */
  #before = 0;
  /** The start of the record in the content. */
  #start = 0;

  constructor(buffer: RowBuffer, separator: number) {
    this.#buffer = buffer;
    this.#separator = separator;
  }

  *push(chunk: Uint8Array): Generator<CsvRecord> {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#state === 'quoted') {
        const end = chunk.indexOf(quote, at);
        if (end === -1) break;
        this.#buffer.add(chunk.subarray(from, end));
        this.#state = 'closed';
        at = end;
      } else if (byte === this.#separator) {
        this.#endCell(chunk.subarray(from, at));
        this.#buffer.skip(1);
        this.#hasContent = true;
        from = at + 1;
      } else if (byte === lineFeed && this.#afterReturn) {
        from = at + 1;
        this.#start = this.#before + from;
      } else if (byte === lineFeed || byte === carriageReturn) {
        this.#endCell(chunk.subarray(from, at));
        yield* this.#endRecord(this.#before + at);
        from = at + 1;
        this.#start = this.#before + from;
      } else if (byte === quote && this.#state !== 'plain') {
        from = this.#state === 'start' ? at + 1 : at;
        this.#state = 'quoted';
        this.#hasContent = true;
      } else if (this.#state === 'closed') {
        throw this.#buffer.error('text follows a closing quote; double the quotes inside a cell');
      } else {
        this.#state = 'plain';
      }
      this.#afterReturn = byte === carriageReturn && this.#state === 'start';
    }
    if (this.#state === 'plain' || this.#state === 'quoted') this.#buffer.add(chunk.subarray(from));
    this.#before += chunk.length;
  }

  *end(): Generator<CsvRecord> {
    if (this.#state === 'quoted') throw this.#buffer.error('a quote is never closed');
    this.#endCell(new Uint8Array(0));
    yield* this.#endRecord(this.#before);
  }

  #endCell(rest: Uint8Array): void {
    if (this.#state === 'plain') this.#buffer.add(rest);
    this.#hasContent ||= !this.#buffer.isEmpty;
    if (this.#cells.length === mostColumns)
      throw this.#buffer.error(`it has more than ${mostColumns} columns`);
    this.#cells.push(this.#buffer.isEmpty ? '' : this.#buffer.takeText());
    this.#state = 'start';
  }

  *#endRecord(end: number): Generator<CsvRecord> {
    const cells = this.#cells;
    const isBlank = !this.#hasContent;
    this.#cells = [];
    this.#hasContent = false;
    if (!isBlank) yield { cells, row: this.#buffer.row, start: this.#start, end };
    this.#buffer.endRow();
  }
}
