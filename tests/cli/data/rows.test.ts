// svc data rows: the rows that a training would learn from, as a file.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entryOf, failure, misuse, projectOfEach } from '../support/project.js';

const project = projectOfEach({ entry: `console.log('the project says hello');${entryOf()}` });
const { svc, json } = project;

const linesOf = async (name: string) =>
  (await readFile(join(project.cwd, name), 'utf8'))
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));

async function useDataset(dataset: string): Promise<void> {
  await project.writeEntry(entryOf({ options: `dataset: ${dataset}` }));
  await svc('build');
}

describe('svc data rows', () => {
  it("writes the trainer's rows to a new file, and nothing else to stdout", async () => {
    expect(await svc('data rows --out mine.jsonl')).toMatchObject({
      exitCode: 0,
      stdout: 'Wrote 1 row to mine.jsonl.\n',
    });
    expect(await linesOf('mine.jsonl')).toEqual([{ prompt: 'Hello', completion: 'Hi' }]);
    expect(await svc('data rows --out mine.jsonl')).toMatchObject(
      failure(1, 'Could not write mine.jsonl: it exists already. Choose another file.'),
    );
    expect(await json('data rows --out other.jsonl')).toEqual({ file: 'other.jsonl', rows: 1 });
  });

  it('writes the rows of a file as training reads them: mapped, or with the names that it knows', async () => {
    await project.write('rows.csv', 'question,answer\none,1\ntwo,2\n');
    await useDataset(
      `{ type: 'file', path: 'rows.csv', columns: { prompt: 'question', completion: 'answer' } }`,
    );
    expect(await json('data rows --out named.jsonl')).toEqual({ file: 'named.jsonl', rows: 2 });
    expect(await linesOf('named.jsonl')).toEqual([
      { prompt: 'one', completion: '1' },
      { prompt: 'two', completion: '2' },
    ]);
    await project.write('chats.csv', `chat,note\n"[{""role"":""user"",""content"":""one""}]",a\n`);
    await useDataset(`{ type: 'file', path: 'chats.csv', columns: { messages: 'chat' } }`);
    await svc('data rows --out chats.jsonl');
    expect(await linesOf('chats.jsonl')).toEqual([{ messages: [{ role: 'user', content: 'one' }] }]);
    await project.write('named.csv', `messages,note\n"[{""role"":""user"",""content"":""one""}]",a\n`);
    await useDataset(`{ type: 'file', path: 'named.csv' }`);
    await svc('data rows --out all.jsonl');
    expect(await linesOf('all.jsonl')).toEqual([{ messages: [{ role: 'user', content: 'one' }], note: 'a' }]);
    const map = `row => row.answer === '1' ? null : { text: row.question }`;
    await useDataset(`{ type: 'file', path: 'rows.csv', map: ${map} }`);
    expect(await json('data rows --out mapped.jsonl')).toEqual({ file: 'mapped.jsonl', rows: 1 });
    expect(await linesOf('mapped.jsonl')).toEqual([{ text: 'two' }]);
  });

  it('needs a file, and leaves none of rows that cannot be read', async () => {
    expect(await svc('data rows')).toMatchObject(misuse('missing option "--out": a new file for the rows.'));
    await useDataset(`{ type: 'file', path: 'nowhere.jsonl' }`);
    expect(await svc('data rows --out rows.jsonl')).toMatchObject(failure(1, 'does not exist'));
    await expect(linesOf('rows.jsonl')).rejects.toThrow('ENOENT');
  });
});
