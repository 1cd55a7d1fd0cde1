import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ROW_LOSSES } from '../../../lib/engine/run-layout.js';
import { countLabels } from '../../../lib/engine/train/packing.js';
import { type RowLossQuery, readRowLosses } from '../../../lib/engine/train/row-losses/read-row-losses.js';
import { decodeEntries, ENTRY_BYTES } from '../../../lib/engine/train/row-losses/row-loss-file.js';
import { openRowLosses } from '../../../lib/engine/train/row-losses/write-row-losses.js';
import type { TrainJob } from '../../../lib/engine/train/trainer.js';
import { temporaryFolder } from './data/dataset-files.js';
import { examples, logsOf, quickJob, run } from './support.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const rows = examples(12);
const job = (rest: Partial<TrainJob> = {}) =>
  quickJob({ maxSteps: 9, saveSteps: 3 }, { folder, examples: rows, ...rest });

const path = () => join(folder, ROW_LOSSES);
const entries = async () => [...decodeEntries((await readFile(path())).subarray(ENTRY_BYTES))];
const read = (more: Partial<RowLossQuery> = {}) =>
  readRowLosses(path(), { sort: 'last', rising: false, step: null, skip: 0, limit: 100, ...more });

describe('a run', () => {
  it('records every row of every step, and their losses add up to that of the step', async () => {
    const losses = logsOf(await run(job())).map(({ loss }) => loss!);
    const recorded = await entries();
    expect(recorded.map(({ step }) => step)).toEqual(
      Array.from({ length: 36 }, (_, i) => 1 + Math.floor(i / 4)),
    );
    for (const [i, loss] of losses.entries()) {
      const own = recorded.filter(({ step }) => step === i + 1);
      const labels = own.reduce((sum, entry) => sum + entry.labels, 0);
      const mean = own.reduce((sum, entry) => sum + entry.labels * entry.loss, 0) / labels;
      expect(mean).toBeCloseTo(loss, 5);
    }
    for (let epoch = 0; epoch < 3; epoch++) {
      const own = recorded.slice(12 * epoch, 12 * (epoch + 1)).map(({ row }) => row);
      expect(own.toSorted((a, b) => a - b)).toEqual(rows.map((_, row) => row));
    }
    for (const { row, labels } of recorded) expect(labels).toBe(countLabels(rows[row]!));
  });

  it('records the same when it is stopped anywhere and resumed', async () => {
    await run(job({ folder: join(folder, 'whole') }));
    for (const steps of [5, 7]) {
      await run(job(), event => event.type === 'log' && event.step === steps);
      // What a killed trainer leaves: later steps, and half an entry.
      await appendFile(path(), Buffer.alloc(ENTRY_BYTES + 5, 9));
    }
    await run(job());
    expect(await readFile(path())).toEqual(await readFile(join(folder, 'whole', ROW_LOSSES)));
  });

  it('names rows as the data set does', async () => {
    const held = { length: 6, at: (index: number) => rows[2 * index]!, rowOf: (index: number) => 2 * index };
    await run(job({ examples: held }));
    expect(new Set((await entries()).map(({ row }) => row))).toEqual(new Set([0, 2, 4, 6, 8, 10]));
  });
});

describe('the file', () => {
  const open = (more = {}) =>
    openRowLosses(folder, { rows: 10, visits: 100, afterStep: 0, assertOwner: async () => {}, ...more });

  async function record(losses: Record<number, [row: number, loss: number][]>, more = {}): Promise<void> {
    const file = await open(more);
    for (const [step, of] of Object.entries(losses)) {
      const visits = of.map(([row, loss]) => ({ row, labels: 2, loss }));
      await file.add(Number(step), visits);
    }
    await file.save();
  }

  it('is sorted worst first by what is asked for', async () => {
    await record({
      1: [[0, 4], [1, 2], [2, 3]], // biome-ignore format: a table
      2: [[0, 1], [1, 2.5], [2, 2]], // biome-ignore format: a table
    });
    const by = async (more: Partial<RowLossQuery>) => (await read(more)).rows.map(({ row }) => row);
    expect(await by({ sort: 'last' })).toEqual([1, 2, 0]);
    expect(await by({ sort: 'first' })).toEqual([0, 2, 1]);
    expect(await by({ sort: 'rise' })).toEqual([1, 2, 0]);
    expect(await by({ sort: 'mean' })).toEqual([0, 2, 1]);
    expect(await by({ rising: true })).toEqual([1]);
    expect(await by({ skip: 1, limit: 1 })).toEqual([2]);
    const { rows: found, total, recorded } = await read({ limit: 1 });
    expect({ total, recorded }).toEqual({ total: 3, recorded: 3 });
    const losses = [{ step: 1, loss: 2 }, { step: 2, loss: 2.5 }]; // biome-ignore format: short
    expect(found).toEqual([
      { row: 1, labels: 2, visits: 2, first: 2, last: 2.5, mean: 2.25, inStep: null, losses },
    ]);
  });

  it('tells which rows a step had, by their loss in it', async () => {
    await record({ 1: [[0, 1], [1, 2]], 2: [[2, 5], [0, 9]], 3: [[1, 3]] }); // biome-ignore format: a table
    const { rows: found, total } = await read({ step: 2 });
    expect(found.map(({ row, inStep }) => [row, inStep])).toEqual([[0, 9], [2, 5]]); // biome-ignore format: short
    expect(total).toBe(2);
    expect((await read({ step: 7 })).rows).toEqual([]);
  });

  it('shows only some of many losses of a row, with the first and the last', async () => {
    await record(Object.fromEntries(Array.from({ length: 500 }, (_, i) => [i + 1, [[0, i]]])));
    const [row] = (await read()).rows;
    expect([row!.visits, row!.losses.length]).toEqual([500, 60]);
    expect([row!.losses[0]!.step, row!.losses.at(-1)!.step]).toEqual([1, 500]);
  });

  it('is empty for a run without one, or with one that is none', async () => {
    expect((await read()).total).toBe(0);
    await writeFile(path(), 'x'.repeat(100));
    expect((await read()).total).toBe(0);
  });

  it('has at most about 100,000 rows, always the same ones', async () => {
    const keptOf = async (count: number) => {
      await record({ 1: Array.from({ length: count }, (_, row) => [row, 1]) }, { rows: 1e6, visits: 1e6 });
      return (await entries()).map(({ row }) => row);
    };
    const kept = await keptOf(50_000);
    expect(Math.abs(kept.length - 5000)).toBeLessThan(500);
    expect(await keptOf(10_000)).toEqual(kept.filter(row => row < 10_000));
    expect((await read({ limit: 1 })).every).toBe(10);
  });

  it('is begun for a run of more steps than anyone can take', async () => {
    await record({ 1: [[1, 1]] }, { visits: Number.MAX_SAFE_INTEGER * 8 });
    expect((await read()).every).toBe(2 ** 32 - 1);
  });

  it('is not written by a trainer that was superseded', async () => {
    const assertOwner = () => Promise.reject(new Error('superseded'));
    await expect(record({ 1: [[1, 1]] }, { assertOwner })).rejects.toThrow('superseded');
    expect(await entries()).toEqual([]);
  });
});
