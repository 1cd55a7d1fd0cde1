// The data of the examples is what the generator makes: `npx vitest run tests/examples/data -u` writes it anew.
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  countingPrompts,
  type PracticeName,
  practiceRows,
  type Side,
  tonePairs,
} from '../../bundled-model/practice/index.js';

const FOLDERS: Readonly<Record<PracticeName, string>> = {
  triage: 'support-triage',
  redaction: 'redaction',
  translate: 'translate',
};
const FILES: readonly (readonly [side: Side, file: string, rows: number])[] = [
  ['train', 'train.jsonl', 600],
  ['held-out', 'held-out.jsonl', 100],
];
const SEED = 1;

const writeLines = (rows: readonly object[]) => rows.map(row => `${JSON.stringify(row)}\n`).join('');
const pathOf = (folder: string, file: string) =>
  fileURLToPath(new URL(`../../examples/${folder}/data/${file}`, import.meta.url));

describe.each(Object.entries(FOLDERS) as [PracticeName, string][])('%s', (name, folder) => {
  it.each(FILES)('has the rows of the side %s', async (side, file, count) => {
    const rows = practiceRows(name, side, count, SEED);
    const text = writeLines(rows.map(({ messages }) => ({ messages })));
    await expect(text).toMatchFileSnapshot(pathOf(folder, file));
  });
});

it.each(FILES)('tone has the pairs of the side %s', async (side, file, count) => {
  await expect(writeLines(tonePairs(side, count, SEED))).toMatchFileSnapshot(pathOf('tone', file));
});

it.each([
  ['train', 'train.jsonl', 600],
  ['held-out', 'held-out.jsonl', 200],
] as const)('triage-task has the tickets of the side %s as rows of its task', async (side, file, count) => {
  const rows = practiceRows('triage', side, count, SEED);
  const text = writeLines(rows.map(({ asked, answer }) => ({ input: asked, output: JSON.parse(answer) })));
  await expect(text).toMatchFileSnapshot(pathOf('triage-task', file));
});

it.each([
  ['train', 'train.jsonl', 600],
  ['held-out', 'held-out.jsonl', 200],
] as const)('rewards has the prompts of the side %s', async (side, file, count) => {
  await expect(writeLines(countingPrompts(side, count, SEED))).toMatchFileSnapshot(pathOf('rewards', file));
});
