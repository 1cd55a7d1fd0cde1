// Data sets as a whole: opened, with columns of other names, and counted.
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { countRows, openDataset } from '../../../../lib/engine/train/data/index.js';
import { faultOf, parquetPath, readAll, rowsOf, temporaryFolder, write } from './dataset-files.js';

const options = { cacheFolder: 'unused' };

describe('a data set', () => {
  it('is read from the start each time, and counted', async () => {
    const dataset = await openDataset(write('rows.jsonl', '{"text":"a"}\n{"text":"b"}\n'), options);
    expect(dataset).toMatchObject({ fileName: 'rows.jsonl', format: 'json-lines' });
    for (const _ of [1, 2]) expect(await rowsOf(dataset)).toHaveLength(2);
  });

  it('uses the name that its file was uploaded with', async () => {
    const { path } = write('0f3a', 'text\na\n');
    const [row] = await readAll({ type: 'file', path, fileName: 'C:\\data\\my rows.CSV' });
    expect(row).toMatchObject({ row: { text: 'a' }, file: 'my rows.CSV' });
    expect(await faultOf(readAll({ type: 'file', path, fileName: 'rows\n.jsonl' }))).toBe(
      'rows?.jsonl, row 1: not valid JSON',
    );
  });

  it('is rejected if its format is not supported', async () => {
    const fault = await faultOf(readAll(write('rows.xlsx', 'PK\x03\x04')));
    expect(fault).toMatch(/^rows.xlsx: its format is not supported; .*\.jsonl.*\.csv.*\.parquet/);
  });

  it('is rejected if it is missing or a folder', async () => {
    const { path } = write('rows.jsonl', '');
    const readAt = (at: string) => faultOf(readAll({ type: 'file', path: at }));
    const folder = dirname(path);
    expect(await readAt(folder)).toBe(`${basename(folder)}: is a folder; use a file in it`);
    expect(await readAt(join(folder, 'none.jsonl'))).toBe('none.jsonl: no such file');
    expect(await readAt(join(path, 'x.csv'))).toBe('x.csv: no such file');
  });

  it('stops being read when its signal aborts, with the signal’s reason', async () => {
    const controller = new AbortController();
    const source = write('rows.jsonl', '{"text":"a"}\n'.repeat(100_000));
    const dataset = await openDataset(source, { ...options, signal: controller.signal });
    const onRows = () => controller.abort(new Error('enough'));
    await expect(dataset.index({ scratchFolder: 'unused', onRows })).rejects.toThrow('enough');
  });
});

type Columns = Record<string, string>;
const pair = { prompt: 'question', completion: 'answer' };
const asked = JSON.stringify({ question: 'a', answer: 'b', prompt: 'other', text: 'c', tools: '', id: 1 });
const expected = { prompt: 'a', completion: 'b' };
const messages = [{ role: 'user', content: 'a' }];
const cell = `"${JSON.stringify(messages).replaceAll('"', '""')}"`;

const read = async (name: string, content: string, columns: Columns = pair) =>
  (await readAll({ ...write(name, content), columns })).map(({ row }) => row);

describe('columns by other names', () => {
  it.each<[string, string, object, Columns?]>([
    ['rows.jsonl', `${asked}\n`, { ...expected, tools: '' }],
    ['rows.json', `[${asked}]`, { ...expected, tools: '' }],
    ['rows.csv', 'question,answer,text\na,b,c\n', expected],
    ['rows.tsv', 'question\tanswer\ttext\na\tb\tc\n', expected],
    ['lists.csv', `chat\n${cell}\n`, { messages }, { messages: 'chat' }],
  ])('are read from %s, and no other column decides the format', async (name, content, row, columns) => {
    expect(await read(name, content, columns)).toEqual([row]);
  });

  it('are read from Parquet', async () => {
    const path = parquetPath('pairs-none');
    const second = async (columns: Columns) => (await readAll({ type: 'file', path, columns }))[1]!.row;
    expect(await second({ prompt: 'completion', completion: 'prompt' })).toEqual({
      prompt: 'c1',
      completion: 'p1',
    });
    expect(await second({ text: 'prompt' })).toEqual({ text: 'p1' });
    const counted = await countRows({ path, name: 'pairs.parquet', columns: { text: 'prompt' } });
    expect(counted).toEqual({ format: 'parquet', rows: 5 });
  });

  it('are counted as what they stand for', async () => {
    const file = { ...write('rows.jsonl', '{"question":"a","answer":"b"}\n'), name: 'rows.jsonl' };
    expect(await countRows({ ...file, columns: pair })).toMatchObject({ rows: 1 });
    await expect(countRows(file)).rejects.toThrow('needs the column messages');
  });

  it.each<[string, string, string, Columns?]>([
    [
      'rows.jsonl',
      '{"question":"a","reply":"b"}\n',
      'row 1: has no column "answer", which is named for completion; it has "question", "reply"',
    ],
    ['rows.csv', 'question,reply\na,b\n', 'its header has no column "answer", which is named for completion'],
    ['rows.jsonl', '{"question":"a"}\n', 'needs the column messages', { prompt: 'question' }],
  ])('are named where they are missing: %s', async (name, content, message, columns) => {
    expect(await faultOf(read(name, content, columns))).toContain(message);
  });

  it('make another data set of the same bytes', async () => {
    const source = write('rows.jsonl', '{"a":"b","c":"d"}\n');
    const open = (text: string) => openDataset({ ...source, columns: { text } }, options);
    const digestOf = async (text: string) => {
      const table = await (await open(text)).index({ scratchFolder: temporaryFolder() });
      table.close();
      return table.digest;
    };
    expect(await digestOf('a')).not.toBe(await digestOf('c'));
    expect(await rowsOf(await open('c'))).toEqual([{ row: { text: 'd' }, file: 'rows.jsonl', number: 1 }]);
  });
});

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
      const path = parquetPath(name);
      const rows = (await readAll({ type: 'file', path })).length;
      expect(await countRows({ path, name })).toEqual({ format: 'parquet', rows });
    }
  });

  it.each([
    ['empty', /contains no rows/],
    ['unknown-columns', /needs the column messages/],
    ['pairs-lz4', /compressed with LZ4/],
  ])('rejects Parquet that cannot be trained on: %s', async (name, reason) => {
    expect(await faultOf(countRows({ path: parquetPath(name), name }))).toMatch(reason);
  });

  it('unzips no more than the limit, however small the file is', async () => {
    const { path } = write('bomb', gzipSync('\n'.repeat(10_000_000)));
    const counted = (most: number) => faultOf(countRows({ path, name: 'a.jsonl.gz' }, { maxUnzipped: most }));
    expect(await counted(1_000_000)).toBe(
      'a.jsonl.gz: has more than 1000000 bytes when unzipped, which is the limit',
    );
    expect(await counted(10_000_000)).toBe('a.jsonl.gz: contains no rows');
  });

  it('rejects a Parquet footer that is too large', async () => {
    const { path } = write('footer', Buffer.alloc(100 * 1024 ** 2));
    const handle = await open(path, 'r+');
    await handle.write('PAR1', 0);
    await handle.write('\0\0\0\x05PAR1', 100 * 1024 ** 2 - 8);
    await handle.close();
    expect(await faultOf(countRows({ path, name: 'a.parquet' }))).toBe(
      'a.parquet: its footer has 83886080 bytes, but the limit is 67108864',
    );
  });

  it('names the invalid row, but never a path', async () => {
    const fault = await faultOf(count('{"text":"a"}\n{"text"', '../up/a.jsonl'));
    expect(fault).toBe('a.jsonl, row 2: not valid JSON');
  });

  it('stops when its signal aborts', async () => {
    const { path } = write('long', '{"text":"a"}\n'.repeat(10));
    const reason = new Error('enough');
    await expect(countRows({ path, name: 'a.jsonl' }, { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
  });
});
