import { describe, expect, it } from 'vitest';
import { DatasetError } from '../../../../lib/engine/train/data/index.js';
import { type CsvRecord, readCsvRecords } from '../../../../lib/engine/train/data/read-csv.js';
import { createRandom } from '../../../support/random.js';
import { collect, readAs } from './dataset-files.js';

const rounds = 300;
const { next } = createRandom(2024);
const below = (limit: number) => Math.floor(next() * limit);
const list = <Item>(length: number, make: () => Item) => Array.from({ length }, make);
const signs = [...'aé✓😀",\n\r\t \\[]{}:\u2028\ufeff', '\r\n', ''];
const text = () => list(below(8), () => signs[below(signs.length)]!).join('');

/** Splits the content anywhere, even inside a character. */
async function* inChunks(content: string | Uint8Array) {
  const bytes = Buffer.from(content);
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + below(next() < 0.5 ? 3 : 40);
    yield Buffer.from(bytes.subarray(at, at + size));
    at += size;
  }
}

async function* atOnce(bytes: Uint8Array) {
  yield bytes;
}

/** The rows or the `DatasetError`; any other error fails the test. */
async function outcome(rows: AsyncIterable<unknown>): Promise<unknown> {
  return collect(rows).catch(error => {
    if (error instanceof DatasetError) return error.message;
    throw error;
  });
}

describe('regardless of chunk boundaries', () => {
  it('CSV survives a round trip', async () => {
    for (let round = 0; round < rounds; round++) {
      const width = 1 + below(4);
      const table = list(1 + below(5), () => list(width, text));
      const end = ['\n', '\r\n', '\r'][below(3)]!;
      const mustQuote = (cell: string) =>
        /["\r\n,]/.test(cell) || (width === 1 && cell === '') || next() < 0.3;
      const write = (cell: string) => (mustQuote(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
      const content = table.map(cells => cells.map(write).join(',')).join(end) + (next() < 0.5 ? end : '');
      const records: CsvRecord[] = await collect(readCsvRecords(inChunks(content), 'f', ','));
      const expected = table.map((cells, index) => [index + 1, cells]);
      expect(records.map(({ row, cells }) => [row, cells])).toEqual(expected);
    }
  });

  it('JSON survives a round trip', async () => {
    for (let round = 0; round < rounds; round++) {
      const row = () => ({ text: text(), [text()]: [text(), { [text()]: null }], n: below(9) });
      const rows = list(1 + below(6), row);
      const lines = rows.map(row => JSON.stringify(row)).join(['\n', '\r\n', '\n \n'][below(3)]!);
      const asLines = await collect(readAs('json-lines', inChunks(lines)));
      expect(asLines.map(({ row: read }) => read)).toEqual(rows);
      const asList = await collect(readAs('json-list', inChunks(JSON.stringify(rows, null, below(3)))));
      expect(asList.map(({ row: read }) => read)).toEqual(rows);
    }
  });

  it('garbage gives the same rows or the same error', async () => {
    const formats = ['csv', 'json-lines', 'json-list'] as const;
    const starts = ['text,n\n', '{"text":"a"}\n', '[{"text":"a"},'];
    let refused = 0;
    for (let round = 0; round < rounds * 3; round++) {
      const kind = round % 3;
      const bytes = Buffer.from(starts[kind] + text() + text() + text());
      if (next() < 0.2) bytes[below(bytes.length)] = below(256);
      const whole = await outcome(readAs(formats[kind]!, atOnce(bytes)));
      expect(
        await outcome(readAs(formats[kind]!, inChunks(bytes))),
        JSON.stringify(bytes.toString()),
      ).toEqual(whole);
      if (typeof whole === 'string') refused++;
    }
    expect(refused).toBeGreaterThan(rounds);
  });
});
