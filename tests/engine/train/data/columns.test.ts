// Columns of a data set that stand for those that training knows.
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { countRows, openDataset } from '../../../../lib/engine/train/data/index.js';
import { createFiles, faultOf, readAll, rowsOf, temporaryFolder } from './dataset-files.js';

const write = createFiles();
const columns = { prompt: 'question', completion: 'answer' };
const asked = { question: 'a', answer: 'b', prompt: 'other', text: 'c', tools: '', id: 1 };
const expected = { prompt: 'a', completion: 'b' };

const read = async (name: string, content: string, map: Record<string, string> = columns) =>
  (await readAll({ ...write(name, content), columns: map })).map(({ row }) => row);

describe('columns by other names', () => {
  it.each([
    ['rows.jsonl', `${JSON.stringify(asked)}\n`],
    ['rows.json', JSON.stringify([asked])],
  ])('are read from %s, and no other column decides the format', async (name, content) => {
    expect(await read(name, content)).toEqual([{ ...expected, tools: '' }]);
  });

  it.each([
    ['rows.csv', 'question,answer,text\na,b,c\n'],
    ['rows.tsv', 'question\tanswer\ttext\na\tb\tc\n'],
  ])('are read from %s', async (name, content) => {
    expect(await read(name, content)).toEqual([expected]);
  });

  it('are read from Parquet', async () => {
    const path = fileURLToPath(new URL('parquet/pairs-none.parquet', import.meta.url));
    const rows = await readAll({
      type: 'file',
      path,
      columns: { prompt: 'completion', completion: 'prompt' },
    });
    expect(rows[1]!.row).toEqual({ prompt: 'c1', completion: 'p1' });
    expect((await readAll({ type: 'file', path, columns: { text: 'prompt' } }))[1]!.row).toEqual({
      text: 'p1',
    });
    const counted = await countRows({ path, name: 'pairs.parquet', columns: { text: 'prompt' } });
    expect(counted).toEqual({ format: 'parquet', rows: 5 });
  });

  it('may be lists of messages that a table has as text', async () => {
    const messages = [{ role: 'user', content: 'a' }];
    const cell = `"${JSON.stringify(messages).replaceAll('"', '""')}"`;
    expect(await read('rows.csv', `chat\n${cell}\n`, { messages: 'chat' })).toEqual([{ messages }]);
  });

  it('are counted as what they stand for', async () => {
    const { path } = write('rows.jsonl', `${JSON.stringify({ question: 'a', answer: 'b' })}\n`);
    expect(await countRows({ path, name: 'rows.jsonl', columns })).toMatchObject({ rows: 1 });
    await expect(countRows({ path, name: 'rows.jsonl' })).rejects.toThrow('needs the column messages');
  });

  it('are named where they are missing', async () => {
    expect(await faultOf(read('rows.jsonl', '{"question":"a","reply":"b"}\n'))).toBe(
      'rows.jsonl, row 1: has no column "answer", which is named for completion; it has "question", "reply"',
    );
    expect(await faultOf(read('rows.csv', 'question,reply\na,b\n'))).toContain(
      'its header has no column "answer", which is named for completion',
    );
    expect(await faultOf(read('rows.jsonl', '{"question":"a"}\n', { prompt: 'question' }))).toContain(
      'needs the column messages',
    );
  });

  it('make another data set of the same bytes', async () => {
    const source = write('rows.jsonl', '{"a":"b","c":"d"}\n');
    const digestOf = async (map: Record<string, string>) => {
      const dataset = await openDataset({ ...source, columns: map }, { cacheFolder: 'unused' });
      const table = await dataset.index({ scratchFolder: temporaryFolder() });
      table.close();
      return table.digest;
    };
    expect(await digestOf({ text: 'a' })).not.toBe(await digestOf({ text: 'c' }));
    expect(
      await rowsOf(await openDataset({ ...source, columns: { text: 'c' } }, { cacheFolder: 'unused' })),
    ).toEqual([{ row: { text: 'd' }, file: 'rows.jsonl', number: 1 }]);
  });
});
