import { readdirSync, readFileSync, truncateSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openDataset } from '../../../../lib/engine/train/data/index.js';
import { indexRows } from '../../../../lib/engine/train/data/index-rows.js';
import { openFile, readRows } from '../../../../lib/engine/train/data/read-rows.js';
import { createRandom } from '../../../support/random.js';
import { collect, faultOf, parquetPath, temporaryFolder, write } from './dataset-files.js';

const jsonLines = '\ufeff{"text":"a"}\r\n\n \n{"text":"Grüße ✓"}\n\n\n{"text":"c"}';
const jsonList = ' [ {"text":"a, ]"} ,\n {"text":"✓"},{"text":"c"}\n] ';
const csv = '\ufeff"text",n\r\n"a\r\nb",1\r\n\r\n"say ""hi""",2\r✓,3';
const tsv = 'text\tn\na\t1\n\nb\t2\n';
const parquet = readFileSync(parquetPath('chat-snappy'));

type File = [name: string, content: string | Uint8Array];

const openAll = (files: readonly File[]) =>
  Promise.all(files.map(([name, content]) => openFile({ path: write(name, content).path, name })));

async function index(...files: readonly File[]) {
  const scratchFolder = temporaryFolder();
  const table = await indexRows(await openAll(files), { scratchFolder });
  expect(readdirSync(scratchFolder)).toEqual([]);
  return table;
}

describe('an index of rows', () => {
  it.each<File>([
    ['a.jsonl', jsonLines],
    ['a.jsonl.gz', gzipSync(jsonLines)],
    ['a.json', jsonList],
    ['a.json.gz', gzipSync(jsonList)],
    ['a.csv', csv],
    ['a.csv.gz', gzipSync(csv)],
    ['a.tsv', tsv],
    ['a.parquet', parquet],
  ])('gives the rows of %s backward as its reader does forward', async (name, content) => {
    const table = await index([name, content]);
    const backwards = Array.from({ length: table.length }, (_, i) => table.read(table.length - 1 - i));
    table.close();
    const expected = await collect(readRows(await openAll([[name, content]])));
    expect(expected.length).toBeGreaterThan(1);
    expect(backwards.reverse()).toEqual(expected);
  });

  it('spans files, each with its own row numbers', async () => {
    const table = await index(
      ['a.jsonl', jsonLines],
      ['b.jsonl.gz', gzipSync(jsonLines)],
      ['c.parquet', parquet],
      ['d.csv', csv],
      ['e.tsv.gz', gzipSync(tsv)],
    );
    const named = Array.from({ length: table.length }, (_, i) => table.read(i)).map(
      ({ file, number }) => `${file} ${number}`,
    );
    table.close();
    expect(named.slice(0, 6)).toEqual(
      ['a.jsonl', 'b.jsonl.gz'].flatMap(file => [1, 4, 7].map(number => `${file} ${number}`)),
    );
    expect(named.slice(-5)).toEqual(['d.csv 2', 'd.csv 4', 'd.csv 5', 'e.tsv.gz 2', 'e.tsv.gz 4']);
  });

  it('handles more rows than fit in a block, with gaps between their numbers', async () => {
    const random = createRandom(5);
    const lines: string[] = [];
    const numbers: number[] = [];
    for (let i = 0; i < 70_000; i++) {
      if (random.next() < 0.01) lines.push('');
      lines.push(`{"text":"${i}"}`);
      numbers.push(lines.length);
    }
    const table = await index(['many.jsonl', lines.join('\n')]);
    expect(table.length).toBe(70_000);
    const drawn = Array.from({ length: 200 }, () => Math.floor(random.next() * 70_000));
    for (const row of [0, 1, 65_535, 65_536, 69_999, ...drawn])
      expect(table.read(row)).toMatchObject({ row: { text: String(row) }, number: numbers[row] });
    table.close();
  });

  it('parses a row only when it is read', async () => {
    const table = await index(['a.jsonl', '{"text":"a"}\n{"text"\n{"text":"c"}']);
    expect(table.length).toBe(3);
    expect(table.read(2).row).toEqual({ text: 'c' });
    expect(() => table.read(1)).toThrow('a.jsonl, row 2: not valid JSON');
    table.close();
  });

  it('changes its digest with every byte of the content', async () => {
    const digestOf = async (content: string) => {
      const table = await index(['a.jsonl', content]);
      table.close();
      return table.digest;
    };
    const digest = await digestOf('{"text":"a"}');
    expect(await digestOf('{"text":"a"}')).toBe(digest);
    expect(await digestOf('{"text":"b"}')).not.toBe(digest);
  });

  it('names the missing row if its file was truncated', async () => {
    const { path } = write('cut.jsonl', '{"text":"a"}\n{"text":"b"}');
    const dataset = await openDataset({ type: 'file', path }, { cacheFolder: 'unused' });
    const table = await dataset.index({ scratchFolder: 'unused' });
    truncateSync(path, 15);
    expect(await faultOf((async () => table.read(1))())).toMatch(/^cut.jsonl, row 2: .*truncated/);
    table.close();
  });
});
