// The files were written by pyarrow 25.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { isReadable } from '../../../../lib/engine/train/data/parquet-codecs.js';
import { toPlain } from '../../../../lib/engine/train/data/plain-values.js';
import { createRandom } from '../../../support/random.js';
import { createFiles, faultOf, readAll } from './dataset-files.js';

const pathOf = (name: string) => fileURLToPath(new URL(`parquet/${name}.parquet`, import.meta.url));
const read = (name: string) => readAll({ type: 'file', path: pathOf(name) });
const write = createFiles();

describe('Parquet', () => {
  it('holds conversations as lists of structs, without null fields', async () => {
    const rows = await read('chat-snappy');
    expect(rows.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(rows[0]).toEqual({
      row: {
        messages: [
          { role: 'user', content: 'What is 1 plus 1? ✓' },
          { role: 'assistant', content: '2', name: 'sum' },
        ],
      },
      file: 'chat-snappy.parquet',
      number: 1,
    });
    expect(rows[6]?.row).toMatchObject({ messages: [{}, { content: '14' }] });
  });

  it('may be compressed with any codec that Node supports', async () => {
    const pairs = [0, 1, 2, 3, 4].map(i => ({ prompt: `p${i}`, completion: `c${i}` }));
    for (const codec of ['none', 'gzip', 'brotli', ...(isReadable('ZSTD') ? ['zstd'] : [])])
      expect((await read(`pairs-${codec}`)).map(({ row }) => row)).toEqual(pairs);
  });

  it('has its values converted to JSON values', async () => {
    const [row] = await read('values');
    const when = '2024-01-02T03:04:05.000Z';
    expect(row?.row.tools).toEqual([
      { count: 3, large: '1152921504606846977', when, ratio: 0.5, bytes: 'ab', flags: [true, null] },
    ]);
    expect(toPlain({ bytes: new Uint8Array([1, 2]), none: undefined, list: [undefined, -5n] })).toEqual({
      bytes: [1, 2],
      list: [null, -5],
    });
  });

  it('may hold messages as JSON text', async () => {
    expect(await faultOf(read('messages-json'))).toBe(
      'messages-json.parquet, row 2: its messages cell is not valid JSON',
    );
  });

  it('reports errors by row', async () => {
    expect(await faultOf(read('text-null'))).toMatch('text-null.parquet, row 2: needs the column messages');
    expect(await faultOf(read('not-utf8'))).toMatch(
      /^not-utf8.parquet, row 1: .* it contains text that is not valid UTF-8$/,
    );
  });

  it('is rejected as a whole', async () => {
    expect(await faultOf(read('unknown-columns'))).toMatch(
      /^unknown-columns.parquet: needs the column .* it has "question", "answer"$/,
    );
    expect(await faultOf(read('empty'))).toBe('empty.parquet: contains no rows');
    expect(await faultOf(read('pairs-lz4'))).toMatch('pairs-lz4.parquet: is compressed with LZ4_RAW');
    expect(await faultOf(readAll(write('text.parquet', 'text\na\n')))).toBe(
      'text.parquet: is not a Parquet file: it does not start with PAR1',
    );
    expect(await faultOf(readAll(write('z.parquet.gz', gzipSync(readFileSync(pathOf('pairs-none'))))))).toBe(
      'z.parquet.gz: is Parquet inside gzip; unzip it first',
    );
  });

  it('is rejected if truncated at any point', async () => {
    const whole = readFileSync(pathOf('chat-snappy'));
    for (let size = 4; size < whole.length; size += 97) {
      expect(await faultOf(readAll(write('cut.parquet', whole.subarray(0, size))))).toBe(
        'cut.parquet: it has no Parquet footer at its end; the file is truncated or damaged',
      );
    }
  });

  it('is either read or rejected if damaged, without other effects', async () => {
    const random = createRandom(7);
    const whole = readFileSync(pathOf('chat-snappy'));
    let refused = 0;
    for (let round = 0; round < 200; round++) {
      const damaged = Buffer.from(whole);
      const at = 4 + Math.floor(random.next() * (whole.length - 8));
      damaged[at] = Math.floor(random.next() * 256);
      const outcome = readAll(write('damaged.parquet', damaged)).then(rows => `${rows.length} rows`);
      const message = await outcome.catch(error => faultOf(Promise.reject(error)));
      if (/^damaged.parquet[,:]/.test(message)) refused++;
    }
    expect(refused).toBeGreaterThan(20);
  });
});
