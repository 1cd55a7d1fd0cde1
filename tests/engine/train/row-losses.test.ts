// The losses of rows: that they are exactly what the steps' losses are made of, and that a file survives interruptions.
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRandom } from '../../../lib/engine/random.js';
import { ROW_LOSSES } from '../../../lib/engine/run-layout.js';
import { TRAIN_DEFAULTS, type TrainOptions } from '../../../lib/engine/train/options.js';
import { countLabels, type Example } from '../../../lib/engine/train/packing.js';
import { decodeEntries, ENTRY_BYTES, type Entry } from '../../../lib/engine/train/row-losses/format.js';
import { type RowLossQuery, readRowLosses } from '../../../lib/engine/train/row-losses/read-row-losses.js';
import { openRowLosses } from '../../../lib/engine/train/row-losses/write-row-losses.js';
import { type TrainJob, train } from '../../../lib/engine/train/trainer.js';
import { type GoldenModel, openGoldenModel } from '../../support/golden-models.js';

let model: GoldenModel;
let folder: string;
beforeEach(async () => {
  model = await openGoldenModel('llama');
  folder = await mkdtemp(join(tmpdir(), 'svc-rows-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function examples(count: number): Example[] {
  const random = createRandom(1);
  return Array.from({ length: count }, () => {
    const ids = Int32Array.from({ length: 6 + Math.floor(random.next() * 20) }, () =>
      Math.floor(random.next() * 320),
    );
    return { ids, supervised: Array.from(ids, (_, i) => i >= 3) };
  });
}

const rows = examples(12);
const quick: Partial<TrainOptions> = {
  rank: 4,
  alpha: 8,
  batchSize: 4,
  learningRate: 1e-2,
  maxSteps: 9,
  saveSteps: 3,
  threads: 1,
};

function job(rest: Partial<TrainJob> = {}): TrainJob {
  const options = { ...TRAIN_DEFAULTS, ...quick };
  return { model, baseModel: 'tiny', examples: rows, evaluation: [], options, folder, ...rest };
}

const path = (of = folder) => join(of, ROW_LOSSES);
const entries = async (of = folder): Promise<Entry[]> => [
  ...decodeEntries((await readFile(path(of))).subarray(ENTRY_BYTES)),
];
const query: RowLossQuery = { sort: 'last', rising: false, step: null, skip: 0, limit: 100 };

describe('a run', () => {
  it('records every row of every step, and their losses add up to that of the step', async () => {
    const losses: number[] = [];
    for await (const event of train(job())) if (event.type === 'log') losses.push(event.loss!);
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
    for await (const _ of train(job())) {
    }
    const whole = await readFile(path());
    const other = await mkdtemp(join(tmpdir(), 'svc-rows-'));
    try {
      for (const steps of [5, 7]) {
        const stop = new AbortController();
        await expect(async () => {
          for await (const event of train(job({ folder: other, signal: stop.signal })))
            if (event.type === 'log' && event.step === steps) stop.abort(new Error('stopped'));
        }).rejects.toThrow('stopped');
        // What a killed trainer leaves: later steps, and half an entry.
        await appendFile(path(other), Buffer.alloc(ENTRY_BYTES + 5, 9));
      }
      for await (const _ of train(job({ folder: other }))) {
      }
      expect(await readFile(path(other))).toEqual(whole);
    } finally {
      await rm(other, { recursive: true });
    }
  });

  it('names rows as the data set does', async () => {
    const held = { length: 6, at: (index: number) => rows[2 * index]!, rowOf: (index: number) => 2 * index };
    for await (const _ of train(job({ examples: held }))) {
    }
    expect(new Set((await entries()).map(({ row }) => row))).toEqual(new Set([0, 2, 4, 6, 8, 10]));
  });
});

describe('the file', () => {
  const open = (afterStep = 0, more = {}) =>
    openRowLosses(folder, { rows: 10, visits: 100, afterStep, assertOwner: async () => {}, ...more });

  async function record(losses: Record<number, [row: number, loss: number][]>): Promise<void> {
    const file = await open();
    for (const [step, of] of Object.entries(losses))
      await file.add(
        Number(step),
        of.map(([row, loss]) => ({ row, labels: 2, loss })),
      );
    await file.save();
  }

  it('is sorted worst first by what is asked for', async () => {
    await record({
      1: [[0, 4], [1, 2], [2, 3]], // biome-ignore format: a table
      2: [[0, 1], [1, 2.5], [2, 2]], // biome-ignore format: a table
    });
    const by = async (more: Partial<RowLossQuery>) =>
      (await readRowLosses(path(), { ...query, ...more })).rows.map(({ row }) => row);
    expect(await by({ sort: 'last' })).toEqual([1, 2, 0]);
    expect(await by({ sort: 'first' })).toEqual([0, 2, 1]);
    expect(await by({ sort: 'rise' })).toEqual([1, 2, 0]);
    expect(await by({ sort: 'mean' })).toEqual([0, 2, 1]);
    expect(await by({ rising: true })).toEqual([1]);
    expect(await by({ skip: 1, limit: 1 })).toEqual([2]);
    const { rows: found, total, recorded } = await readRowLosses(path(), { ...query, limit: 1 });
    expect({ found, total, recorded }).toEqual({
      total: 3,
      recorded: 3,
      found: [
        {
          row: 1,
          labels: 2,
          visits: 2,
          first: 2,
          last: 2.5,
          mean: 2.25,
          inStep: null,
          losses: [{ step: 1, loss: 2 }, { step: 2, loss: 2.5 }], // biome-ignore format: short
        },
      ],
    });
  });

  it('tells which rows a step had, by their loss in it', async () => {
    await record({ 1: [[0, 1], [1, 2]], 2: [[2, 5], [0, 9]], 3: [[1, 3]] }); // biome-ignore format: a table
    const { rows: found, total } = await readRowLosses(path(), { ...query, step: 2 });
    expect(found.map(({ row, inStep }) => [row, inStep])).toEqual([[0, 9], [2, 5]]); // biome-ignore format: short
    expect(total).toBe(2);
    expect((await readRowLosses(path(), { ...query, step: 7 })).rows).toEqual([]);
  });

  it('shows only some of many losses of a row, with the first and the last', async () => {
    await record(Object.fromEntries(Array.from({ length: 500 }, (_, i) => [i + 1, [[0, i]]])));
    const [row] = (await readRowLosses(path(), query)).rows;
    expect(row!.visits).toBe(500);
    expect(row!.losses).toHaveLength(60);
    expect([row!.losses[0]!.step, row!.losses.at(-1)!.step]).toEqual([1, 500]);
  });

  it('is empty for a run without one, or with one that is none', async () => {
    expect((await readRowLosses(path(), query)).total).toBe(0);
    await writeFile(path(), 'x'.repeat(100));
    expect((await readRowLosses(path(), query)).total).toBe(0);
  });

  it('has at most about 100,000 rows, always the same ones', async () => {
    const record = async (count: number) => {
      const file = await open(0, { rows: 1_000_000, visits: 1_000_000 });
      const losses = Array.from({ length: count }, (_, row) => ({ row, labels: 1, loss: 1 }));
      await file.add(1, losses);
      await file.save();
      return (await entries()).map(({ row }) => row);
    };
    const kept = await record(50_000);
    expect(kept.length).toBeGreaterThan(4500);
    expect(kept.length).toBeLessThan(5500);
    expect(await record(10_000)).toEqual(kept.filter(row => row < 10_000));
    expect((await readRowLosses(path(), { ...query, limit: 1 })).every).toBe(10);
  });

  it('is begun for a run of more steps than anyone can take', async () => {
    const file = await open(0, { rows: 10, visits: Number.MAX_SAFE_INTEGER * 8 });
    await file.add(1, [{ row: 1, labels: 1, loss: 1 }]);
    await file.save();
    expect((await readRowLosses(path(), query)).every).toBe(2 ** 32 - 1);
  });

  it('is not written by a trainer that was superseded', async () => {
    const lost = () => Promise.reject(new Error('superseded'));
    const file = await open(0, { assertOwner: lost });
    await file.add(1, [{ row: 1, labels: 1, loss: 1 }]);
    await expect(file.save()).rejects.toThrow('superseded');
    expect(await entries()).toEqual([]);
  });
});
