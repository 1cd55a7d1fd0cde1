// Rows of JSON: lines of one object each, or the elements of a list.
import { type ColumnMap, type DataRow, DatasetError, type NamedFile } from './dataset.js';
import { isBlank } from './file-format.js';
import { toRow } from './known-columns.js';
import type { Bytes } from './read-bytes.js';
import { decodeRow, type Layout, RowBuffer, type RowSlice } from './row-buffer.js';

const lineFeed = 0x0a;

/** Rows of which each is a JSON object. */
export function jsonLayout(
  { name: file, columns }: NamedFile,
  split: (bytes: Bytes, file: string) => AsyncIterable<RowSlice>,
): Layout<RowSlice> {
  return {
    rows: bytes => split(bytes, file),
    read: slice => parseJsonRow(slice.takeText(), slice.row, file, columns),
    parse: (bytes, number) => parseJsonRow(decodeRow(bytes, file, number), number, file, columns),
  };
}

/** The lines that are not blank, which are counted all the same. */
export async function* splitJsonLines(bytes: Bytes, file: string): AsyncGenerator<RowSlice> {
  const buffer = new RowBuffer(file);
  let before = 0;
  let start = 0;
  for await (const chunk of bytes) {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
      if (!buffer.isEmpty || !isBlankLine(chunk, from, end)) {
        buffer.add(chunk.subarray(from, end));
        if (!buffer.isBlank) yield buffer.at(start, before + end);
      }
      buffer.endRow();
      from = end + 1;
      start = before + from;
    }
    buffer.add(chunk.subarray(from));
    before += chunk.length;
  }
  if (!buffer.isEmpty && !buffer.isBlank) yield buffer.at(start, before);
}

/** A quick check, since there may be many blank lines. */
function isBlankLine(bytes: Uint8Array, from: number, end: number): boolean {
  let at = from;
  while (at < end && isBlank(bytes[at]!)) at++;
  return at === end;
}

export function parseJsonRow(text: string, number: number, file: string, columns?: ColumnMap): DataRow {
  return { row: toRow(parseJson(text, number, file), file, number, columns), file, number };
}

function parseJson(text: string, row: number, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DatasetError(file, 'not valid JSON', { row, cause });
  }
}

const sign = (character: string) => character.charCodeAt(0);
const [quote, backslash, comma] = [sign('"'), sign('\\'), sign(',')];
const [openList, closeList, openObject, closeObject] = [sign('['), sign(']'), sign('{'), sign('}')];

/** The elements of a list, holding only the current one in memory. */
export async function* splitJsonList(bytes: Bytes, file: string): AsyncGenerator<RowSlice> {
  const buffer = new RowBuffer(file);
  const finder = new ElementFinder();
  let before = 0;
  let start = 0;
  for await (const chunk of bytes) {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const role = finder.read(chunk[at]!);
      if (role === 'inside') continue;
      if (role === 'trailing') throw new DatasetError(file, 'has content after the end of its list');
      if (role !== 'start') {
        buffer.add(chunk.subarray(from, at));
        const isEmptyList = role === 'last' && buffer.row === 1 && buffer.isBlank;
        if (!isEmptyList) yield buffer.at(start, before + at);
        buffer.endRow();
      }
      from = at + 1;
      start = before + from;
    }
    if (!finder.isOver) buffer.add(chunk.subarray(from));
    before += chunk.length;
  }
  if (!finder.isOver) throw buffer.error('the file ends in the middle of its list');
}

/** A byte's role in the list: before an element, inside one, the end of one or of the last one, or after the list. */
type Role = 'start' | 'inside' | 'end' | 'last' | 'trailing';

/** Finds where elements end by counting brackets outside strings. Leaves validation to the JSON parser. */
class ElementFinder {
  #depth = 0;
  #inText = false;
  #escaped = false;
  isOver = false;

  read(byte: number): Role {
    if (this.isOver) return isBlank(byte) ? 'start' : 'trailing';
    if (this.#inText) this.#takeInText(byte);
    else if (byte === quote) this.#inText = true;
    else if (byte === openList || byte === openObject) return this.#depth++ === 0 ? 'start' : 'inside';
    else if (byte === closeList || byte === closeObject) return this.#close();
    else if (byte === comma && this.#depth === 1) return 'end';
    return this.#depth === 0 ? 'start' : 'inside';
  }

  #takeInText(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === backslash) this.#escaped = true;
    else if (byte === quote) this.#inText = false;
  }

  #close(): Role {
    this.isOver = --this.#depth === 0;
    return this.isOver ? 'last' : 'inside';
  }
}
