import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { isReadable, toPlain } from '../../../../lib/engine/train/data/read-parquet.js';
import { createRandom } from '../../../support/random.js';
import { faultOf, parquetPath, readAll, readText } from './dataset-files.js';

const read = (name: string) => readAll({ type: 'file', path: parquetPath(name) });

describe('Parquet', () => {
  it('holds conversations as lists of structs, without null fields', async () => {
    const rows = await read('chat-snappy');
    expect(rows.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const messages = [
      { role: 'user', content: 'What is 1 plus 1? ✓' },
      { role: 'assistant', content: '2', name: 'sum' },
    ];
    expect(rows[0]).toEqual({ row: { messages }, file: 'chat-snappy.parquet', number: 1 });
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
    const raw = { bytes: new Uint8Array([1, 2]), none: undefined, list: [undefined, -5n] };
    expect(toPlain(raw)).toEqual({ bytes: [1, 2], list: [null, -5] });
  });

  it.each([
    ['messages-json', ', row 2: its messages cell is not valid JSON'],
    ['text-null', ', row 2: needs the column messages.*'],
    ['not-utf8', ', row 1: .* it contains text that is not valid UTF-8'],
    ['unknown-columns', ': needs the column .* it has "question", "answer"'],
    ['empty', ': contains no rows'],
    ['pairs-lz4', ': is compressed with LZ4_RAW.*'],
  ])('is rejected for what is in it: %s', async (name, reason) => {
    expect(await faultOf(read(name))).toMatch(new RegExp(`^${name}.parquet${reason}$`));
  });

  it('is rejected if it is something else, or inside gzip', async () => {
    expect(await faultOf(readText('text.parquet', 'text\na\n'))).toBe(
      'text.parquet: is not a Parquet file: it does not start with PAR1',
    );
    const zipped = gzipSync(readFileSync(parquetPath('pairs-none')));
    expect(await faultOf(readText('z.parquet.gz', zipped))).toBe(
      'z.parquet.gz: is Parquet inside gzip; unzip it first',
    );
  });

  it('is rejected if truncated at any point', async () => {
    const whole = readFileSync(parquetPath('chat-snappy'));
    for (let size = 4; size < whole.length; size += 97)
      expect(await faultOf(readText('cut.parquet', whole.subarray(0, size)))).toBe(
        'cut.parquet: it has no Parquet footer at its end; the file is truncated or damaged',
      );
  });

  it('is either read or rejected if damaged, without other effects', async () => {
    const random = createRandom(7);
    const whole = readFileSync(parquetPath('chat-snappy'));
    let refused = 0;
    for (let round = 0; round < 200; round++) {
      const damaged = Buffer.from(whole);
      const at = 4 + Math.floor(random.next() * (whole.length - 8));
      damaged[at] = Math.floor(random.next() * 256);
      const outcome = readText('damaged.parquet', damaged).then(rows => `${rows.length} rows`);
      const message = await outcome.catch(error => faultOf(Promise.reject(error)));
      if (/^damaged.parquet[,:]/.test(message)) refused++;
    }
    expect(refused).toBeGreaterThan(20);
  });
});
