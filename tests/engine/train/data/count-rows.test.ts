import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { countRows, openDataset } from '../../../../lib/engine/train/data/index.js';
import { createFiles, faultOf, rowsOf } from './dataset-files.js';

const write = createFiles();
const parquet = (name: string) => fileURLToPath(new URL(`parquet/${name}.parquet`, import.meta.url));
/** Stores the content under a name that does not show its format. */
const count = (content: string | Uint8Array, name: string) =>
  countRows({ path: write('stored', content).path, name });

describe('counting rows', () => {
  it.each([
    ['a.jsonl', '{"text":"a"}\n\n{"text":"b"}', 'json-lines', 2],
    ['a.json', '[{"text":"a"},{"text":"b"}]', 'json-list', 2],
    ['a.csv', 'text\n"a\nb"\n', 'csv', 1],
    ['a.tsv.gz', gzipSync('text\na\nb\n'), 'tsv', 2],
  ])('counts the rows of %s like its reader', async (name, content, format, rows) => {
    expect(await count(content, name)).toEqual({ format, rows });
  });

  it('reads the count of Parquet from its footer', async () => {
    for (const name of ['pairs-gzip', 'chat-snappy', 'values']) {
      const path = parquet(name);
      const dataset = await openDataset({ type: 'file', path }, { cacheFolder: 'unused' });
      expect(await countRows({ path, name })).toEqual({
        format: 'parquet',
        rows: (await rowsOf(dataset)).length,
      });
    }
  });

  it.each([
    ['empty', /contains no rows/],
    ['unknown-columns', /needs the column messages/],
    ['pairs-lz4', /compressed with LZ4/],
  ])('rejects Parquet that cannot be trained on: %s', async (name, reason) => {
    expect(await faultOf(countRows({ path: parquet(name), name }))).toMatch(reason);
  });

  it('unzips no more than the limit, however small the file is', async () => {
    const { path } = write('bomb', gzipSync('\n'.repeat(10_000_000)));
    const counted = (most: number) => faultOf(countRows({ path, name: 'a.jsonl.gz' }, undefined, most));
    expect(await counted(1_000_000)).toBe(
      'a.jsonl.gz: has more than 1000000 bytes when unzipped, which is the limit',
    );
    expect(await counted(10_000_000)).toBe('a.jsonl.gz: contains no rows');
  });

  it('rejects a Parquet footer that is too large', async () => {
    const { path } = write('footer', Buffer.alloc(100 * 1024 ** 2));
    const handle = await open(path, 'r+');
    await handle.write('PAR1', 0);
    const end = Buffer.from([0, 0, 0, 5, ...Buffer.from('PAR1')]);
    await handle.write(end, 0, end.length, 100 * 1024 ** 2 - end.length);
    await handle.close();
    expect(await faultOf(countRows({ path, name: 'a.parquet' }))).toBe(
      'a.parquet: its footer has 83886080 bytes, but the limit is 67108864',
    );
  });

  it('names the invalid row, but never a path', async () => {
    const fault = await faultOf(count('{"text":"a"}\n{"text"', '../up/a.jsonl'));
    expect(fault).toBe('a.jsonl, row 2: not valid JSON');
    expect(await faultOf(count('', 'a.jsonl'))).toBe('a.jsonl: contains no rows');
  });

  it('stops when its signal aborts', async () => {
    const { path } = write('long', '{"text":"a"}\n'.repeat(10));
    const reason = new Error('enough');
    await expect(countRows({ path, name: 'a.jsonl' }, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
