import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { maxRowBytes } from '../../../../lib/engine/train/data/index.js';
import { toColumns } from '../../../../lib/engine/train/data/read-csv.js';
import { createFiles, faultOf, readAll } from './dataset-files.js';

const write = createFiles();
const read = async (name: string, content: string | Uint8Array) => readAll(write(name, content));
const rows = async (name: string, content: string) => (await read(name, content)).map(({ row }) => row);
const fault = (content: string | Uint8Array) => faultOf(read('rows.csv', content));

describe('CSV', () => {
  it('gives rows with the header’s names, numbered as in a spreadsheet', async () => {
    expect(await read('rows.csv', 'prompt,completion\na,b\n\n c , d \n')).toEqual([
      { row: { prompt: 'a', completion: 'b' }, file: 'rows.csv', number: 2 },
      { row: { prompt: ' c ', completion: ' d ' }, file: 'rows.csv', number: 4 },
    ]);
  });

  it('has quoted cells with separators, quotes and line breaks', async () => {
    const content = 'text,n\n"a, ""b""\r\nc",1\n"",2\n"""",3\n';
    expect(await rows('rows.csv', content)).toEqual([
      { text: 'a, "b"\r\nc', n: '1' },
      { text: '', n: '2' },
      { text: '"', n: '3' },
    ]);
  });

  it('counts a row with line breaks in it as one', async () => {
    const [, second] = await read('rows.csv', 'text\n"a\nb\nc"\nd\n');
    expect(second).toMatchObject({ row: { text: 'd' }, number: 3 });
  });

  it('accepts any line ends, a missing last one, a byte order mark, and names padded with spaces', async () => {
    const expected = [
      { text: 'a', n: '1' },
      { text: 'b', n: '2' },
    ];
    for (const end of ['\n', '\r\n', '\r'])
      expect(await rows('rows.csv', `\ufeff"text", n${end}a,1${end}b,2`)).toEqual(expected);
  });

  it('keeps quotes in the middle of an unquoted cell', async () => {
    expect(await rows('rows.csv', 'text\n5" disk\n')).toEqual([{ text: '5" disk' }]);
  });

  it('omits the missing cells of short rows, and unnamed columns', async () => {
    expect(await rows('rows.csv', ',text,n\n0,a\n')).toEqual([{ text: 'a' }]);
  });

  it('may hold messages and tools as JSON', async () => {
    const messages = [{ role: 'user', content: 'say "hi"' }];
    const cell = `"${JSON.stringify(messages).replaceAll('"', '""')}"`;
    expect(await rows('rows.csv', `messages,tools\n${cell},\n${cell},[]\n`)).toEqual([
      { messages, tools: null },
      { messages, tools: [] },
    ]);
    expect(await fault('messages\nhi\n')).toBe('rows.csv, row 2: its messages cell is not valid JSON');
  });

  it('does not let a column reach the prototype', async () => {
    const [row] = await rows('rows.csv', 'text,__proto__\na,b\n');
    expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
    expect(Object.entries(row!)).toEqual([
      ['text', 'a'],
      ['__proto__', 'b'],
    ]);
  });

  it('may be separated by tabs, and compressed', async () => {
    expect(await rows('rows.tsv', 'text\tn\na,b\t"1\t2"\n')).toEqual([{ text: 'a,b', n: '1\t2' }]);
    expect(await read('rows.csv.gz', gzipSync('text\na\n'))).toHaveLength(1);
  });

  it('reports errors by row', async () => {
    expect(await fault('text\na\nb,c\n')).toBe('rows.csv, row 3: it has 2 cells, but the header has 1');
    expect(await fault('text\na\n"b\nc\n')).toBe('rows.csv, row 3: a quote is never closed');
    expect(await fault('text\n"a"b\n')).toMatch('rows.csv, row 2: text follows a closing quote');
    expect(await fault('prompt,completion\na\n')).toMatch(/row 2: needs the column .* it has "prompt"$/);
    expect(await fault(Buffer.from('text\na\n\xe9\n', 'latin1'))).toBe('rows.csv, row 3: not valid UTF-8');
    expect(await fault(`text\n"${'x'.repeat(maxRowBytes)},"\n`)).toBe('rows.csv, row 2: longer than 16 MB');
  });

  it('is rejected if a row has endless cells', async () => {
    const endless = `text\n${','.repeat(maxRowBytes + 1)}`;
    expect(await fault(endless)).toBe('rows.csv, row 2: it has more than 10000 columns');
  });

  it('may have thousands of columns', async () => {
    const names = Array.from({ length: 9999 }, (_, i) => `c${i}`);
    expect(await rows('rows.csv', `text,${names}\nx\n`)).toEqual([{ text: 'x' }]);
    expect(await fault(`text,${names.with(-1, 'c7')}\nx\n`)).toBe(
      'rows.csv, row 1: its header has the column "c7" twice',
    );
    expect(await fault(`text,${names},c9999\nx\n`)).toBe('rows.csv, row 1: it has more than 10000 columns');
  });

  it('looks for no name of its header among all others', () => {
    const cells = ['text', ...Array.from({ length: 999 }, (_, i) => `c${i}`)];
    const search = vi.spyOn(Array.prototype, 'indexOf');
    const columns = toColumns({ cells, number: 1, start: 0, end: 0 }, 'rows.csv');
    const searches = search.mock.calls.length;
    search.mockRestore();
    expect(columns).toEqual(cells);
    expect(searches).toBe(0);
  });

  it('reports errors in its header', async () => {
    expect(await fault('question;answer\na;b\n')).toBe(
      `rows.csv, row 1: its header needs the column messages, or prompt and completion, or conversations (ShareGPT), or instruction and output (Alpaca), or text, or chosen and rejected (preferences), or preferred_output and non_preferred_output (OpenAI's preferences); it has "question;answer"`,
    );
    expect(await fault('text,n,text\n')).toBe('rows.csv, row 1: its header has the column "text" twice');
  });

  it('is rejected if it has no rows', async () => {
    for (const content of ['', 'text\n', '\n\ntext\n\n'])
      expect(await fault(content)).toBe('rows.csv: contains no rows');
  });
});
