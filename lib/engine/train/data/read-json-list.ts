// A JSON list of rows, taken apart as it comes: only the element being read is held.
import type { DataRow } from './dataset.js';
import { DatasetError } from './dataset-error.js';
import { isBlank } from './file-format.js';
import { toRow } from './known-columns.js';
import type { Bytes } from './read-bytes.js';
import { parseJson } from './read-json-lines.js';
import { RowBuffer } from './row-buffer.js';

const sign = (character: string) => character.charCodeAt(0);
const [quote, backslash, comma] = [sign('"'), sign('\\'), sign(',')];
const [openList, closeList, openObject, closeObject] = [sign('['), sign(']'), sign('{'), sign('}')];

/** The rows of a JSON list. */
export async function* readJsonList(bytes: Bytes, file: string): AsyncGenerator<DataRow> {
  const buffer = new RowBuffer(file);
  const finder = new ElementFinder();
  for await (const chunk of bytes) {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const role = finder.take(chunk[at]!);
      if (role === 'inside') continue;
      if (role === 'trailing') throw new DatasetError(file, 'goes on after the end of its list');
      if (role !== 'start') {
        buffer.add(chunk.subarray(from, at));
        yield* parseElement(buffer, file, role);
        buffer.endRow();
      }
      from = at + 1;
    }
    if (!finder.isOver) buffer.add(chunk.subarray(from));
  }
  if (!finder.isOver) throw buffer.fault('the file ends in the middle of its list');
}

function* parseElement(buffer: RowBuffer, file: string, role: 'end' | 'last'): Generator<DataRow> {
  const text = buffer.takeText();
  if (role === 'last' && buffer.row === 1 && text.trim() === '') return;
  yield { row: toRow(parseJson(text, buffer), file, buffer.row), file, number: buffer.row };
}

/** What a byte is to the list: its opening, part of an element, what ends one or the last one, or too much. */
type Role = 'start' | 'inside' | 'end' | 'last' | 'trailing';

/** Tells where elements end. It only counts brackets outside of texts: whether it is JSON, the parser will say. */
class ElementFinder {
  #depth = 0;
  #inText = false;
  #escaped = false;
  isOver = false;

  take(byte: number): Role {
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
