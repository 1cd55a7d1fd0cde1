// Rows of earlier runs among those of a run: how many, which ones, and that they are trained on but not recorded.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { prepareTraining } from '../../../lib/engine/train/prepare.js';
import { chooseReplayed, countReplayed, type Replay } from '../../../lib/engine/train/replay.js';
import { readRowLosses } from '../../../lib/engine/train/row-losses/read-row-losses.js';
import { writeTokens } from '../../../lib/engine/train/tokens.js';
import { tinyModel } from '../tiny-model.js';
import { temporaryFolder } from './data/dataset-files.js';
import { chat, lossesOf, prepareAndRun, readFinal, SIZES, trainRequest, writeRows } from './support.js';

const modelFolder = await tinyModel();
const folder = temporaryFolder();
const options = { loraR: 4, batchSize: 4, learningRate: 1e-2, maxSteps: 12, threads: 1 };
const own = Array.from({ length: 18 }, (_, i) => chat('now', `it is ${i}`));
const earlier = join(folder, 'earlier.jsonl');
const older = join(folder, 'older.jsonl');
await writeRows(
  earlier,
  Array.from({ length: 40 }, (_, i) => chat('before', `it was ${i}`)),
);
await writeRows(older, [chat('once', 'it has been'), chat('once', 'it had been')]);

const request = (name: string, replay?: Replay) =>
  trainRequest(folder, name, own, { modelFolder, options, ...(replay && { replay }) });
const mixed: Replay = {
  share: 0.25,
  sources: [
    { source: { type: 'file', path: earlier }, evaluationFraction: 0.5 },
    { source: { type: 'file', path: older } },
  ],
};

it.each([
  [90, 0.1, 10],
  [18, 0.25, 6],
  [3, 0.1, 1],
  [100, 0.5, 100],
  [100, 0, 0],
])('are, of %i rows and a share of %d, %i more', (rows, share, more) => {
  expect(countReplayed(rows, share)).toBe(more);
});

it('are chosen among all, by the seed, each once and no more than there are', () => {
  const [first, second] = chooseReplayed([100, 20], 60, 1);
  expect(first!.length + second!.length).toBe(60);
  expect(second!.length).toBeGreaterThan(2);
  for (const [places, count] of [
    [first!, 100],
    [second!, 20],
  ] as const) {
    expect([...places]).toEqual([...new Set(places)].sort((a, b) => a - b));
    expect(places.every(place => place < count)).toBe(true);
  }
  expect(chooseReplayed([100, 20], 60, 1)).toEqual([first, second]);
  expect(chooseReplayed([100, 20], 60, 2)).not.toEqual([first, second]);
  expect(chooseReplayed([2, 1], 9, 1).map(places => [...places])).toEqual([[0, 1], [0]]);
});

it.each(SIZES)(
  'are trained on with the others, without those that were held out: a %s data set',
  async (size, how) => {
    const { job, replayed, close } = await prepareTraining(await request(`seen-${size}`, mixed), how);
    const rowOf = (index: number) => job.examples.rowOf!(index);
    const numbers = Array.from({ length: job.examples.length }, (_, index) => rowOf(index));
    expect(numbers).toEqual(Array.from({ length: 24 }, (_, i) => i));
    expect(replayed.map(({ rows }) => rows).reduce((sum, rows) => sum + rows)).toBe(6);
    close();
    const rest = { ...mixed, sources: [{ ...mixed.sources[0]!, evaluationFraction: 0.5 }], share: 0.9 };
    const all = await prepareTraining(await request(`all-${size}`, rest), how);
    // About half of the 40 were held out, so there are no more.
    expect(all.replayed[0]!.rows).toBeGreaterThan(10);
    expect(all.replayed[0]!.rows).toBeLessThan(30);
    all.close();
  },
);

it.each(SIZES)(
  'change the run, and only losses of its own rows are recorded: a %s data set',
  async (size, how) => {
    const plain = await prepareAndRun(await request(`plain-${size}`), how);
    const replaying = await prepareAndRun(await request(`mixed-${size}`, mixed), how);
    expect(lossesOf(replaying)).not.toEqual(lossesOf(plain));
    const all = { sort: 'last', rising: false, step: null, skip: 0, limit: 100 } as const;
    const { rows, total } = await readRowLosses(join(folder, `mixed-${size}`, 'row-losses.bin'), all);
    expect(total).toBe(18);
    expect(rows.every(({ row }) => row < 18)).toBe(true);
  },
);

it.each(SIZES)('are among the tokens for other machines, too: a %s data set', async (size, how) => {
  const here = await request(`here-${size}`, mixed);
  const read = await prepareAndRun(here, how);
  const target = join(folder, `tokens-${size}`);
  await mkdir(target, { recursive: true });
  const tokens = await writeTokens({ ...(await request(`scratch-${size}`, mixed)), target }, how);
  expect(tokens.replayed).toHaveLength(2);
  const { source: _, replay: _2, ...away } = await request(`away-${size}`);
  expect(lossesOf(await prepareAndRun({ ...away, tokens }))).toEqual(lossesOf(read));
  expect(await readFinal(folder, `away-${size}`)).toEqual(await readFinal(folder, `here-${size}`));
});

/** They have the same file name as the run's own rows, as new rows of a project often do. */
async function rowsOfSameName(name: string, rows: readonly object[]): Promise<Replay> {
  const path = join(folder, name, 'earlier', 'rows.jsonl');
  await mkdir(join(path, '..'), { recursive: true });
  await writeRows(path, rows);
  return { share: 0.5, sources: [{ source: { type: 'file', path } }] };
}

it.each([
  ['no known column', { nothing: 1 }, 'needs the column'],
  ['an unknown role', { messages: [{ role: 'nobody', content: 'a' }] }, 'messages[0].role is "nobody"'],
  ['too many tokens', chat('once', 'ever '.repeat(400)), 'it has '],
])('are named as those of an earlier run where one has %s', async (fault, row, reason) => {
  const name = `fault ${fault}`;
  const faulty = { ...(await request(name, await rowsOfSameName(name, [row]))), tooLong: 'error' as const };
  await expect(prepareAndRun(faulty)).rejects.toThrow(`rows.jsonl (earlier run), row 1: ${reason}`);
});

it('are named as those of an earlier run where they are cut off', async () => {
  const replay = await rowsOfSameName('long', [chat('once', 'it was'), chat('once', 'ever '.repeat(400))]);
  const { job, close } = await prepareTraining(await request('long', replay));
  close();
  expect(job.tooLong?.first).toEqual([
    { file: 'rows.jsonl (earlier run)', row: 2, tokens: expect.any(Number) },
  ]);
});
