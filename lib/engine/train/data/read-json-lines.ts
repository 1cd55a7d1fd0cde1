// JSON lines: one object a line; blank lines are passed over, but counted.
import type { DataRow } from './dataset.js';
import { isBlank } from './file-format.js';
import { toRow } from './known-columns.js';
import type { Bytes } from './read-bytes.js';
import { RowBuffer } from './row-buffer.js';

const lineFeed = 0x0a;

/** The rows of JSON lines. */
export async function* readJsonLines(bytes: Bytes, file: string): AsyncGenerator<DataRow> {
  const buffer = new RowBuffer(file);
  for await (const chunk of bytes) {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
      if (!buffer.isEmpty || !isBlankLine(chunk, from, end)) {
        buffer.add(chunk.subarray(from, end));
        yield* parseLine(buffer, file);
      }
      buffer.endRow();
      from = end + 1;
    }
    buffer.add(chunk.subarray(from));
  }
  if (!buffer.isEmpty) yield* parseLine(buffer, file);
}

/** There may be very many: they are told by a look. */
function isBlankLine(bytes: Uint8Array, from: number, end: number): boolean {
  let at = from;
  while (at < end && isBlank(bytes[at]!)) at++;
  return at === end;
}

function* parseLine(buffer: RowBuffer, file: string): Generator<DataRow> {
  const text = buffer.takeText();
  if (text.trim() === '') return;
  yield { row: toRow(parseJson(text, buffer), file, buffer.row), file, number: buffer.row };
}

/** The JSON of the row being read. */
export function parseJson(text: string, buffer: RowBuffer): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw buffer.fault('not valid JSON', cause);
  }
}
