// Reads JSON lines: one object per line. Blank lines are skipped but counted.
import type { ColumnMap, DataRow } from './dataset.js';
import { DatasetError } from './dataset-error.js';
import { isBlank } from './file-format.js';
import { toRow } from './known-columns.js';
import type { Bytes } from './read-bytes.js';
import { RowBuffer, type RowSlice } from './row-buffer.js';

const lineFeed = 0x0a;

export async function* readJsonLines(
  bytes: Bytes,
  file: string,
  columns?: ColumnMap,
): AsyncGenerator<DataRow> {
  for await (const slice of splitJsonLines(bytes, file))
    yield parseJsonRow(slice.takeText(), slice.row, file, columns);
}

/** The lines that are not blank, with their positions. */
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
