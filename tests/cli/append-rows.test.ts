// The files of rows that the chat and the dashboard write.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { appendRows, writeNewRows } from '../../cli/commands/files/append-rows.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-rows-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('grow with each append, also after a line without an end', async () => {
  const file = join(folder, 'chat', 'rows.jsonl');
  await appendRows(file, '{"text":"a"}');
  await appendRows(file, '{"text":"b"}\n');
  expect(await readFile(file, 'utf8')).toBe('{"text":"a"}\n{"text":"b"}\n');
});

it('are new for a whole data set: no row is in them twice', async () => {
  const file = join(folder, 'data', 'rows.jsonl');
  await writeNewRows(file, '{"text":"a"}\n');
  await expect(writeNewRows(file, '{"text":"a"}\n')).rejects.toThrow(
    'It exists already. Choose another file.',
  );
  expect(await readFile(file, 'utf8')).toBe('{"text":"a"}\n');
});
