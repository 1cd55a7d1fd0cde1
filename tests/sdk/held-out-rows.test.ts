// What svc eval and svc ship judge on, from each kind of file: the rows that the run held out, and no others.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { realClock } from '../../lib/clock/index.js';
import { hashRows, openDataset, splitByContent } from '../../lib/engine/train/data/index.js';
import { readAskableRows } from '../../lib/sdk/evaluation/read-rows.js';
import { readHeldOutRows } from '../../lib/sdk/shipping/held-out-rows.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('svc-held-out');
});

const evalFraction = 0.2;

/** As a run splits its data. */
async function heldOutByRun(path: string): Promise<unknown[]> {
  const dataset = await openDataset({ type: 'file', path }, { cacheFolder: folder });
  const table = await dataset.index({ scratchFolder: folder });
  const held = splitByContent(await hashRows(table), evalFraction);
  const rows = [...held].map(index => table.read(index).row);
  table.close();
  return rows;
}

async function heldOutForJudging(path: string) {
  const job = { id: 'j', trainer: 't', config: { evalFraction } } as never;
  const place = { folder, home: folder, env: {}, clock: realClock };
  return readHeldOutRows({ name: 't', dataset: { type: 'file', path }, evalFraction }, job, place);
}

const numbers = Array.from({ length: 200 }, (_, index) => index);
const cell = (value: unknown) => `"${JSON.stringify(value).replaceAll('"', '""')}"`;
const tools = [
  { type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: {} } } },
];
const chat = (number: number) => [
  { role: 'user', content: `question ${number}` },
  { role: 'assistant', content: `answer ${number}` },
];

it.each([
  ['plain.csv', 'prompt,completion', (i: number) => `question ${i},answer ${i}`],
  [
    'tools.csv',
    'prompt,completion,tools',
    (i: number) => `question ${i},answer ${i},${i % 2 ? cell(tools) : ''}`,
  ],
  ['chats.tsv', 'messages\tnote', (i: number) => `${cell(chat(i))}\tnote ${i}`],
  ['history.csv', 'instruction,input,output,history', (i: number) => `question ${i},,answer ${i},`],
])(
  'are those of the run, which can be asked and keep their other columns: %s',
  async (name, header, line) => {
    const path = join(folder, name);
    await writeFile(path, [header, ...numbers.map(line)].join('\n'));
    const judged = await heldOutForJudging(name);
    expect(judged.rows).toEqual(await heldOutByRun(path));
    expect(judged.rows.length).toBeLessThan(100);
    const { rows } = await readAskableRows(judged, { folder, cacheFolder: folder, task: null });
    expect(rows[0]).toMatchObject({ expected: expect.stringMatching(/^answer \d+$/) });
  },
);

it.each([
  [{ type: 'sft' }, 'Name rows whose answers are known: "--on ROWS".'],
  [{ type: 'dpo' }, 'Name rows whose answers are known: "--on ROWS".'],
  [{ type: 'grpo', reward: () => 1 }, 'Name prompts, or rows whose answers are known: "--on ROWS".'],
] as const)('say what to name instead where there are none: %j', async (method, advice) => {
  const job = { id: 'j', trainer: 't', config: {} } as never;
  const place = { folder, home: folder, env: {}, clock: realClock };
  const trainer = { name: 't', dataset: { type: 'file', path: 'a.jsonl' }, method } as const;
  await expect(readHeldOutRows(trainer, job, place)).rejects.toThrow(`Job j holds out no rows. ${advice}`);
});
