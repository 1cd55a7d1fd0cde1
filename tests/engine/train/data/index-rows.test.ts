// Reading rows in any order gives the same rows as reading from start to end, in every format.
import { readdirSync, readFileSync, truncateSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openDataset } from '../../../../lib/engine/train/data/index.js';
import { indexRows } from '../../../../lib/engine/train/data/index-rows.js';
import { openFile, readRows } from '../../../../lib/engine/train/data/read-rows.js';
import { createRandom } from '../../../support/random.js';
import { collect, createFiles, faultOf, temporaryFolder } from './dataset-files.js';

const write = createFiles();
const jsonLines = '\ufeff{"text":"a"}\r\n\n \n{"text":"Grüße ✓"}\n\n\n{"text":"c"}';
const jsonList = ' [ {"text":"a, ]"} ,\n {"text":"✓"},{"text":"c"}\n] ';
const csv = '\ufeff"text",n\r\n"a\r\nb",1\r\n\r\n"say ""hi""",2\r✓,3';
const tsv = 'text\tn\na\t1\n\nb\t2\n';
const parquet = readFileSync(fileURLToPath(new URL('parquet/chat-snappy.parquet', import.meta.url)));

async function inOrder(name: string, content: string | Uint8Array) {
  const { path } = write(name, content);
  return collect(readRows([await openFile({ path, name })]));
}

async function index(files: readonly [string, string | Uint8Array][]) {
  const open = files.map(([name, content]) => openFile({ path: write(name, content).path, name }));
  return indexRows(await Promise.all(open), { scratchFolder: temporaryFolder() });
}

describe('an index of rows', () => {
  it.each<[string, string | Uint8Array]>([
    ['a.jsonl', jsonLines],
    ['a.jsonl.gz', gzipSync(jsonLines)],
    ['a.json', jsonList],
    ['a.json.gz', gzipSync(jsonList)],
    ['a.csv', csv],
    ['a.csv.gz', gzipSync(csv)],
    ['a.tsv', tsv],
    ['a.parquet', parquet],
  ])('gives the rows of %s backward as its reader does forward', async (name, content) => {
    const table = await index([[name, content]]);
    const backwards = Array.from({ length: table.length }, (_, i) => table.read(table.length - 1 - i));
    table.close();
    const expected = await inOrder(name, content);
    expect(expected.length).toBeGreaterThan(1);
    expect(backwards.reverse()).toEqual(expected);
  });

  it('spans files, each with its own row numbers', async () => {
    const table = await index([
      ['a.jsonl', jsonLines],
      ['b.jsonl.gz', gzipSync(jsonLines)],
      ['c.parquet', parquet],
      ['d.csv', csv],
      ['e.tsv.gz', gzipSync(tsv)],
    ]);
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
    const table = await index([['many.jsonl', lines.join('\n')]]);
    expect(table.length).toBe(70_000);
    for (const row of [
      0,
      1,
      65_535,
      65_536,
      69_999,
      ...Array.from({ length: 200 }, () => Math.floor(random.next() * 70_000)),
    ])
      expect(table.read(row)).toMatchObject({ row: { text: String(row) }, number: numbers[row] });
    table.close();
  });

  it('parses a row only when it is read', async () => {
    const table = await index([['a.jsonl', '{"text":"a"}\n{"text"\n{"text":"c"}']]);
    expect(table.length).toBe(3);
    expect(table.read(2).row).toEqual({ text: 'c' });
    expect(() => table.read(1)).toThrow('a.jsonl, row 2: not valid JSON');
    table.close();
  });

  it('changes its digest with every byte of the content', async () => {
    const digestOf = async (content: string) => {
      const table = await index([['a.jsonl', content]]);
      table.close();
      return table.digest;
    };
    expect(await digestOf('{"text":"a"}')).toBe(await digestOf('{"text":"a"}'));
    expect(await digestOf('{"text":"a"}')).not.toBe(await digestOf('{"text":"b"}'));
  });

  it('leaves nothing in its scratch folder', async () => {
    const scratchFolder = temporaryFolder();
    const { path } = write('left.jsonl.gz', gzipSync(jsonLines));
    const table = await indexRows([await openFile({ path, name: 'left.jsonl.gz' })], { scratchFolder });
    expect(readdirSync(scratchFolder)).toEqual([]);
    expect(table.read(0).row).toEqual({ text: 'a' });
    table.close();
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
