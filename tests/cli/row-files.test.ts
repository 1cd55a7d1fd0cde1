// The files of rows that the chat and the dashboard write.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appendRows, writeNewRows } from '../../cli/commands/files/row-files.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-rows-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('grow with each append, also after a line without an end', async () => {
  const file = join('chat', 'rows.jsonl');
  await appendRows(folder, file, '{"text":"a"}');
  await appendRows(folder, file, '{"text":"b"}\n');
  expect(await readFile(join(folder, file), 'utf8')).toBe('{"text":"a"}\n{"text":"b"}\n');
});

it('are new for a whole data set: no row is in them twice', async () => {
  const rows = new Blob(['{"text":"a"}\n']);
  expect(await writeNewRows(folder, 'data/rows.jsonl', rows)).toBe(1);
  await expect(writeNewRows(folder, 'data/rows.jsonl', rows)).rejects.toThrow(
    'Could not write data/rows.jsonl: it exists already. Choose another file.',
  );
  expect(await readFile(join(folder, 'data/rows.jsonl'), 'utf8')).toBe('{"text":"a"}\n');
});
