// The rows of a typed task: checked, and made into chats, before they are uploaded.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createCloudClient } from '../../../lib/client/index.js';
import { defineTask, type Task } from '../../../lib/index.js';
import type { DatasetInput } from '../../../lib/sdk/index.js';
import { toDatasetSource } from '../../../lib/sdk/trainer/upload-dataset.js';
import { openTaskRows } from '../../../lib/task/index.js';
import type { FakeCloud } from '../../support/fake-cloud.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { openFakeCloud } from '../support.js';

const triage = defineTask({
  name: 'triage',
  input: z.object({ subject: z.string(), stars: z.int().default(3) }),
  output: z.enum(['bug', 'wish']),
  prompt: ({ subject, stars }) => `${subject} (${stars})`,
});
const order = defineTask({
  name: 'order',
  input: z.string(),
  output: z.object({ id: z.int(), note: z.string().optional() }),
});

let folder: string;
let fake: FakeCloud;
let received: string[];
beforeEach(async () => {
  folder = temporaryFolder('svc-task-rows');
  received = [];
  fake = await openFakeCloud({
    uploadDataset: async ({ body }) => {
      received.push(await new Response(body).text());
      return { dataset: { id: 'd', sha256: '0'.repeat(64), bytes: 1, rows: 1, format: 'jsonl' } };
    },
  });
});

async function upload(task: Task, input: DatasetInput) {
  const cloud = createCloudClient({
    baseUrl: fake.url,
    token: 't',
    scope: { orgSlug: 'o', projectSlug: 'p' },
  });
  const rows = openTaskRows(task);
  const source = await toDatasetSource(input, { folder, cloud: async () => cloud, task: rows });
  const chats = received
    .join('')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line).messages);
  return { source, chats, description: rows.description() };
}

const fileOf = async (name: string, content: string, more: object = {}) => {
  await writeFile(join(folder, name), content);
  return { type: 'file' as const, path: name, ...more };
};
const refusal = (task: Task, input: DatasetInput) =>
  upload(task, input).then(
    () => 'accepted',
    error => error.message as string,
  );
const chat = (user: string, answer: string) => [
  { role: 'user' as const, content: user },
  { role: 'assistant' as const, content: answer },
];
const lines = (...rows: object[]) => rows.map(row => `${JSON.stringify(row)}\n`).join('');

describe('the rows of a task', () => {
  it('become chats with the prompt and the answer of the task', async () => {
    const rows = [
      { input: { subject: 'Crash', stars: 1 }, output: 'bug' },
      { input: { subject: 'Dark mode', stars: 5 }, output: 'wish' },
    ];
    const chats = [chat('Crash (1)', 'bug'), chat('Dark mode (5)', 'wish')];
    const found = await upload(triage, await fileOf('rows.jsonl', lines(...rows)));
    expect(found).toEqual({
      source: { type: 'upload', datasetId: 'd' },
      chats,
      description: triage.description,
    });
    received = [];
    expect((await upload(triage, await fileOf('rows.json', JSON.stringify(rows)))).chats).toEqual(chats);
    received = [];
    expect((await upload(triage, { type: 'rows', rows })).chats).toEqual(chats);
  });

  it('may be columns of a CSV file, with objects as JSON', async () => {
    const csv = 'text,answer\nSeven,"{""note"": ""x"", ""id"": 7}"\n12,"{""id"":12}"\n';
    const columns = { input: 'text', output: 'answer' };
    const { chats } = await upload(order, await fileOf('rows.csv', csv, { columns }));
    expect(chats).toEqual([chat('Seven', '{"id":7,"note":"x"}'), chat('12', '{"id":12}')]);
  });

  it('may be what `map` makes', async () => {
    const map = ({ q, a }: Record<string, unknown>) => (a === '' ? null : { input: q, output: { id: a } });
    const file = await fileOf('rows.jsonl', lines({ q: 'x', a: 1 }, { q: 'y', a: '' }), { map });
    expect((await upload(order, file)).chats).toEqual([chat('x', '{"id":1}')]);
  });

  it('are named where they do not fit: the first five, and how many there are', async () => {
    const wrong = [
      { input: { subject: 7 }, output: 'bug' },
      { input: { subject: 'x' }, output: 'bugs' },
      { input: { subject: 'x' } },
      ...Array.from({ length: 4 }, () => ({ prompt: 'x' })),
    ];
    const rows = [{ input: { subject: 'x' }, output: 'bug' }, ...wrong];
    const message = await refusal(triage, await fileOf('rows.jsonl', lines(...rows)));
    const [first, ...named] = message.split('\n');
    expect(first).toBe('7 rows do not fit the task triage:');
    expect(named).toEqual([
      expect.stringContaining('rows.jsonl, row 2: `input.subject`: '),
      expect.stringContaining('rows.jsonl, row 3: `output`: '),
      'rows.jsonl, row 4: there is no `output`; rows of a task have `input` and `output`',
      'rows.jsonl, row 5: there is no `input`; rows of a task have `input` and `output`',
      'rows.jsonl, row 6: there is no `input`; rows of a task have `input` and `output`',
      'and 2 more.',
    ]);
    expect(await refusal(triage, { type: 'rows', rows: rows.slice(0, 2) })).toMatch(
      /^1 row does not fit the task triage:\nrow 2: `input\.subject`: /,
    );
    expect(received).toEqual([]);
  });

  it('keep the prompt where the schema fills in a default', async () => {
    const rows = [{ input: { subject: 'Crash' }, output: 'bug' }];
    const { chats, description } = await upload(triage, { type: 'rows', rows });
    expect(chats).toEqual([chat('Crash (3)', 'bug')]);
    expect(description).toEqual(triage.description);
  });

  it('teach the answer alone, and not those that the prompt gives as examples', async () => {
    const shown = defineTask({
      name: 'shown',
      input: z.string(),
      output: z.enum(['bug', 'wish']),
      prompt: text => [...chat('It hangs.', 'bug'), { role: 'user', content: text }],
    });
    const { chats, description } = await upload(shown, {
      type: 'rows',
      rows: [{ input: 'Crash', output: 'bug' }],
    });
    const [question, example] = chat('It hangs.', 'bug');
    expect(chats).toEqual([[question, { ...example, weight: 0 }, ...chat('Crash', 'bug')]]);
    expect(description).toEqual(shown.description);
    expect(description.prompt).toHaveLength(3);
  });

  it('leave the prompt out of the task where it writes something else for a row', async () => {
    const odd = defineTask({
      name: 'odd',
      input: z.string(),
      output: z.enum(['bug', 'wish']),
      prompt: text => text.replace('Crash', 'It crashes'),
    });
    const rows = [{ input: 'Crash', output: 'bug' }];
    const { chats, description } = await upload(odd, { type: 'rows', rows });
    expect(chats).toEqual([chat('It crashes', 'bug')]);
    expect(odd.description.prompt).toBeDefined();
    expect(description).toEqual({ ...odd.description, prompt: undefined });
  });
});
