// CSV as RFC 4180 has it, in bytes, so that a record that is no UTF-8 can be named. Also read: records that end with
// a carriage return alone, and quotes in the middle of a cell without quotes. It does not know what a header is.
import type { Bytes } from './read-bytes.js';
import { RowBuffer } from './row-buffer.js';

export interface CsvRecord {
  readonly cells: readonly string[];
  /** Counted from 1, blank lines included. */
  readonly number: number;
  /** Where it lies in the content, without what ends it. */
  readonly start: number;
  readonly end: number;
}

const [quote, carriageReturn, lineFeed] = [0x22, 0x0d, 0x0a];

/** The records that are not blank. */
export async function* readCsvRecords(
  bytes: Bytes,
  file: string,
  separator: ',' | '\t',
): AsyncGenerator<CsvRecord> {
  const parser = new CsvParser(new RowBuffer(file), separator.charCodeAt(0));
  for await (const chunk of bytes) yield* parser.push(chunk);
  yield* parser.end();
}

/** The record that these bytes are, from their start to what ended them. */
export function parseCsvRecord(
  bytes: Uint8Array,
  file: string,
  number: number,
  separator: ',' | '\t',
): CsvRecord {
  const parser = new CsvParser(new RowBuffer(file, number), separator.charCodeAt(0));
  return [...parser.push(bytes), ...parser.end()][0]!;
}

/** Where in a cell the next byte stands: before its first, in it, between its quotes, behind a quote in there. */
type Place = 'start' | 'plain' | 'quoted' | 'closed';

class CsvParser {
  readonly #buffer: RowBuffer;
  readonly #separator: number;
  #place: Place = 'start';
  #cells: string[] = [];
  #hasContent = false;
  #afterReturn = false;
  /** Where the chunk begins in the content, and where the record does. */
  #before = 0;
  #start = 0;

  constructor(buffer: RowBuffer, separator: number) {
    this.#buffer = buffer;
    this.#separator = separator;
  }

  *push(chunk: Uint8Array): Generator<CsvRecord> {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#place === 'quoted') {
        const end = chunk.indexOf(quote, at);
        if (end === -1) break;
        this.#buffer.add(chunk.subarray(from, end));
        this.#place = 'closed';
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
      } else if (byte === quote && this.#place !== 'plain') {
        from = this.#place === 'start' ? at + 1 : at;
        this.#place = 'quoted';
        this.#hasContent = true;
      } else if (this.#place === 'closed') {
        throw this.#buffer.fault('text follows a closing quote; inside of a cell a quote is written twice');
      } else {
        this.#place = 'plain';
      }
      this.#afterReturn = byte === carriageReturn && this.#place === 'start';
    }
    if (this.#place === 'plain' || this.#place === 'quoted') this.#buffer.add(chunk.subarray(from));
    this.#before += chunk.length;
  }

  *end(): Generator<CsvRecord> {
    if (this.#place === 'quoted') throw this.#buffer.fault('a quote is opened and never closed');
    this.#endCell(new Uint8Array(0));
    yield* this.#endRecord(this.#before);
  }

  #endCell(rest: Uint8Array): void {
    if (this.#place === 'plain') this.#buffer.add(rest);
    this.#hasContent ||= !this.#buffer.isEmpty;
    this.#cells.push(this.#buffer.isEmpty ? '' : this.#buffer.takeText());
    this.#place = 'start';
  }

  *#endRecord(end: number): Generator<CsvRecord> {
    const cells = this.#cells;
    const isBlank = !this.#hasContent;
    this.#cells = [];
    this.#hasContent = false;
    if (!isBlank) yield { cells, number: this.#buffer.row, start: this.#start, end };
    this.#buffer.endRow();
  }
}
