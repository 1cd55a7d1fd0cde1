// Rows of CSV, TSV and Parquet, whose lists are texts: they are asked as training reads them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openRows, readAskableRows } from '../../../lib/sdk/evaluation/read-rows.js';
import { parquetPath } from '../../engine/train/data/dataset-files.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder('svc-table-rows');
const place = { folder, cacheFolder: folder, task: null };
const cell = (value: unknown) => `"${JSON.stringify(value).replaceAll('"', '""')}"`;

const question = { role: 'user', content: 'a' };
const chat = [question, { role: 'assistant', content: 'yes' }];
const tools = [{ type: 'function', function: { name: 'look_up', parameters: { type: 'object' } } }];

async function readTable(text: string, { takesPrompts = false } = {}) {
  await writeFile(join(folder, 'rows.csv'), text);
  const { rows } = await readAskableRows({ type: 'file', path: 'rows.csv' }, { ...place, takesPrompts });
  return rows[0]!;
}

it('have chats, and functions that are offered', async () => {
  expect(await readTable(`messages\n${cell(chat)}\n`)).toMatchObject({
    messages: [question],
    expected: 'yes',
  });
  const table = `prompt,completion,tools\na,yes,${cell(tools)}\n`;
  expect(await readTable(table)).toMatchObject({ messages: [question], tools, expected: 'yes' });
});

it('have all columns for a reward', async () => {
  const table = `prompt,tools,right\na,${cell(tools)},yes\n`;
  const item = { prompt: 'a', tools, right: 'yes' };
  expect(await readTable(table, { takesPrompts: true })).toMatchObject({ messages: [question], tools, item });
});

it('may have texts in columns that are not trained on', async () => {
  for (const text of ['Called twice.', '"[hammer], saw"', '[2020] broken', '{'])
    expect((await readTable(`input,output,history\na,yes,${text}\n`)).messages).toEqual([question]);
});

it('are refused where a list is damaged', async () => {
  const reading = readTable('messages\n"[{"\n');
  await expect(reading).rejects.toThrow('rows.csv, row 2: its messages cell is not valid JSON.');
});

it('of Parquet are read as well', async () => {
  const { given } = await openRows({ type: 'file', path: parquetPath('messages-json') }, place);
  for await (const { row } of given) {
    expect(row).toMatchObject({ messages: expect.any(Array) });
    break;
  }
});
