// Real training on a tiny model: the events of a run, and that a stopped run resumes exactly.
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRandom } from '../../../lib/engine/random.js';
import { TRAIN_DEFAULTS, type TrainOptions } from '../../../lib/engine/train/options.js';
import type { Example } from '../../../lib/engine/train/packing.js';
import { OtherRunError } from '../../../lib/engine/train/start-run.js';
import type { TrainEvent } from '../../../lib/engine/train/train-event.js';
import { type TrainJob, train } from '../../../lib/engine/train/trainer.js';
import { readAdapter } from '../../../lib/engine/weights/index.js';
import { type GoldenModel, openGoldenModel } from '../../support/golden-models.js';

let model: GoldenModel;
let folder: string;
beforeEach(async () => {
  model = await openGoldenModel('llama');
  folder = await mkdtemp(join(tmpdir(), 'svc-train-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function examples(count: number, seed = 1): Example[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    const length = 6 + Math.floor(random.next() * 20);
    const ids = Int32Array.from({ length }, () => Math.floor(random.next() * 320));
    return { ids, supervised: Array.from(ids, (_, i) => i >= 3) };
  });
}

const quick: Partial<TrainOptions> = {
  rank: 4,
  alpha: 8,
  batchSize: 4,
  learningRate: 1e-2,
  maxSteps: 8,
  threads: 1,
};

function job(options: Partial<TrainOptions> = {}, rest: Partial<TrainJob> = {}): TrainJob {
  return {
    model,
    baseModel: 'tiny',
    examples: examples(12),
    evaluation: [],
    options: { ...TRAIN_DEFAULTS, ...quick, ...options },
    folder,
    ...rest,
  };
}

async function collect(events: AsyncIterable<TrainEvent>): Promise<TrainEvent[]> {
  const all: TrainEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const losses = (events: readonly TrainEvent[]) =>
  events.flatMap(event =>
    event.type === 'log' && event.loss !== undefined ? [[event.step, event.loss]] : [],
  );

describe('training', () => {
  it('reports its start, each step and its result', async () => {
    const events = await collect(train(job()));
    expect(events[0]).toMatchObject({ type: 'started', totalSteps: 8, resumedFromStep: null });
    expect(events.slice(1, -1).map(event => event.type === 'log' && event.step)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8,
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'completed', step: 8, folder: join(folder, 'final') });
    const { config, tensors } = await readAdapter(join(folder, 'final'));
    expect(config).toMatchObject({ rank: 4, alpha: 8, baseModel: 'tiny' });
    expect(tensors).toHaveLength(2 * 7);
    expect(tensors.every(({ b }) => b.some(value => value !== 0))).toBe(true);
  });

  it('memorizes its rows', async () => {
    const events = await collect(
      train(job({ maxSteps: 60, learningRate: 2e-2, rank: 16 }, { examples: examples(4) })),
    );
    const curve = losses(events).map(([, loss]) => loss!);
    expect(curve[0]).toBeGreaterThan(5);
    expect(curve.at(-1)).toBeLessThan(1.5);
  });

  it('gives the same losses for the same seed and different ones for another', async () => {
    const [first, again, other] = [
      losses(await collect(train(job({ dropout: 0.1 }, { folder: join(folder, 'a') })))),
      losses(await collect(train(job({ dropout: 0.1 }, { folder: join(folder, 'b') })))),
      losses(await collect(train(job({ dropout: 0.1, seed: 7 }, { folder: join(folder, 'c') })))),
    ];
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });

  it('takes the same steps whether a batch is accumulated or not', async () => {
    const whole = losses(await collect(train(job({ batchSize: 4 }, { folder: join(folder, 'a') }))));
    const parts = losses(
      await collect(train(job({ batchSize: 2, accumulation: 2 }, { folder: join(folder, 'b') }))),
    );
    expect(parts).toEqual(whole);
  });

  it('keeps the rows in a line separate: the loss of a step is the mean over its labels, however they are packed', async () => {
    const rows = examples(6, 3);
    const options = { batchSize: 6, maxSteps: 1 };
    const [[, together]] = losses(
      await collect(train(job(options, { examples: rows, folder: join(folder, 'all') }))),
    ) as [[number, number]];
    let sum = 0;
    let labels = 0;
    for (const [i, row] of rows.entries()) {
      const [[, loss]] = losses(
        await collect(train(job(options, { examples: [row], folder: join(folder, String(i)) }))),
      ) as [[number, number]];
      const count = row.ids.length - 3;
      sum += loss * count;
      labels += count;
    }
    expect(Math.abs(together / (sum / labels) - 1)).toBeLessThan(1e-5);
  });

  it.each(['f32', 'int8'] as const)(
    'resumes after a stop with exactly the losses of an uninterrupted run: %s',
    async weights => {
      const schedule = 'cosine' as const;
      const options = { maxSteps: 9, saveSteps: 2, dropout: 0.1, loggingSteps: 3, schedule, weights };
      const whole = await collect(train(job(options, { folder: join(folder, 'whole') })));
      const stopped: TrainEvent[] = [];
      const aborter = new AbortController();
      const run = collect(
        (async function* () {
          for await (const event of train(job(options, { signal: aborter.signal }))) {
            stopped.push(event);
            if (event.type === 'checkpoint' && event.step === 4) aborter.abort(new Error('killed'));
            yield event;
          }
        })(),
      );
      await expect(run).rejects.toThrow('killed');
      const resumed = await collect(train(job(options)));
      expect(resumed[0]).toMatchObject({ type: 'started', resumedFromStep: 4 });
      expect([...losses(stopped), ...losses(resumed)]).toEqual(losses(whole));
      const [a, b] = await Promise.all(['whole/final', 'final'].map(name => readAdapter(join(folder, name))));
      expect(a!.tensors.map(({ b: values }) => [...values])).toEqual(
        b!.tensors.map(({ b: values }) => [...values]),
      );
    },
  );

  it('saves nothing once a newer attempt at the run has started', async () => {
    await writeFile(join(folder, 'attempt'), '1\n');
    const first = train(job({ saveSteps: 2 }, { attempt: 1 }));
    for await (const event of first) if (event.type === 'checkpoint') break;
    const orphan = train(job({ saveSteps: 2 }, { attempt: 1 }));
    await orphan.next();
    await writeFile(join(folder, 'attempt'), '2\n');
    await expect(collect(orphan)).rejects.toThrow('superseded');
    expect((await readdir(folder)).sort()).toEqual(['attempt', 'checkpoint-2', 'row-losses.bin']);
    const second = await collect(train(job({ saveSteps: 2 }, { attempt: 2 })));
    expect(second[0]).toMatchObject({ resumedFromStep: 2 });
    expect(await readdir(folder)).not.toContain('checkpoint-4.partial');
  });

  it('keeps the weight precision that it started with when it resumes', async () => {
    const options = { maxSteps: 6, saveSteps: 3, weights: 'int8' } as const;
    const whole = await collect(train(job(options, { folder: join(folder, 'whole') })));
    for await (const event of train(job(options))) if (event.type === 'checkpoint') break;
    const resumed = await collect(train(job({ ...options, weights: 'f32' })));
    expect(resumed[0]).toMatchObject({ type: 'started', resumedFromStep: 3 });
    expect(losses(resumed)).toEqual(losses(whole).slice(3));
    const exact = await collect(
      train(job({ ...options, weights: 'f32' }, { folder: join(folder, 'exact') })),
    );
    expect(losses(exact)).not.toEqual(losses(whole));
  });

  it('does not resume from the checkpoints of another run', async () => {
    await collect(train(job({ saveSteps: 4 })));
    await expect(collect(train(job({ saveSteps: 4, learningRate: 1e-3 })))).rejects.toThrow(OtherRunError);
  });

  it('does not mistake different data of the same lengths, or another rank, for the same run', async () => {
    const rows = examples(6);
    await collect(train(job({ saveSteps: 4 }, { examples: rows })));
    const others = rows.map(({ ids, supervised }) => ({
      ids: Int32Array.from(ids, (id, i) => (i === 1 ? (id + 1) % 320 : id)),
      supervised,
    }));
    await expect(collect(train(job({ saveSteps: 4 }, { examples: others })))).rejects.toThrow(OtherRunError);
    await expect(collect(train(job({ saveSteps: 4, rank: 2 }, { examples: rows })))).rejects.toThrow(
      OtherRunError,
    );
  });

  async function flipByte(path: string): Promise<void> {
    const bytes = await readFile(path);
    const middle = Math.floor(bytes.length / 2);
    bytes[middle] = bytes[middle]! ^ 1;
    await writeFile(path, bytes);
  }

  it.each([
    ['trainer_state.json', 'has a changed byte', flipByte],
    ['optimizer.safetensors', 'has a changed byte', flipByte],
    ['adapter_model.safetensors', 'has a changed byte', flipByte],
    ['adapter_config.json', 'has a changed byte', flipByte],
    ['SHA256SUMS', 'has a changed byte', flipByte],
    ['optimizer.safetensors', 'is empty', (path: string) => truncate(path)],
    ['optimizer.safetensors', 'is missing', (path: string) => rm(path)],
  ])('resumes from the previous checkpoint if %s %s, and reports it', async (file, _, damage) => {
    const options = { maxSteps: 9, saveSteps: 3 };
    const whole = await collect(train(job(options)));
    await rm(join(folder, 'final'), { recursive: true });
    await damage(join(folder, 'checkpoint-6', file));
    const resumed = await collect(train(job(options)));
    expect(resumed[0]).toMatchObject({ resumedFromStep: 3, damagedCheckpoints: [6] });
    expect(losses(resumed)).toEqual(losses(whole).slice(3));
  });

  it('starts over if every checkpoint is damaged', async () => {
    const options = { maxSteps: 9, saveSteps: 3 };
    const whole = await collect(train(job(options)));
    for (const step of [3, 6])
      await truncate(join(folder, `checkpoint-${step}`, 'optimizer.safetensors'), 100);
    const again = await collect(train(job(options)));
    expect(again[0]).toMatchObject({ resumedFromStep: null, damagedCheckpoints: [6, 3] });
    expect(losses(again)).toEqual(losses(whole));
  });

  it('trains on rows that are longer than those it has read at first, and resumes among them', async () => {
    const rows = examples(24);
    const ids = Int32Array.from({ length: 90 }, (_, i) => i);
    const all = [...rows, { ids, supervised: Array.from(ids, (_, i) => i >= 3) }];
    const ofSample: Partial<TrainJob> = {
      examples: all,
      reader: {
        sample: rows,
        digest: 'rows',
        isComplete: true,
        advance: async () => {},
        takeProgress: () => null,
      },
    };
    // Which numbers are dropped depends on the pass.
    const options = { maxSteps: 12, saveSteps: 6, dropout: 0.2 };
    const whole = losses(await collect(train(job(options, { ...ofSample, folder: join(folder, 'whole') }))));
    for await (const { type } of train(job(options, ofSample))) if (type === 'checkpoint') break;
    expect(losses(await collect(train(job(options, ofSample))))).toEqual(whole.slice(6));
  });

  it('shrinks steps with skipped rows, and fails if every row is skipped', async () => {
    const rows = examples(12);
    const gaps = { length: 12, at: (index: number) => (index % 4 === 0 ? rows[index]! : null) };
    const curve = losses(await collect(train(job({ batchSize: 1, maxSteps: 12 }, { examples: gaps }))));
    expect(curve).toHaveLength(12);
    expect(curve.every(([, loss]) => Number.isFinite(loss))).toBe(true);
    await expect(
      collect(train(job({}, { examples: { length: 3, at: () => null }, folder: join(folder, 'none') }))),
    ).rejects.toThrow('All rows are too long');
  });

  it('packs rows into lines that are longer than the model’s context', async () => {
    const short = { ...model, config: { ...model.config, maxPositions: 32 } };
    const rows = Array.from({ length: 12 }, (_, i) => examples(1, i)[0]!);
    const events = await collect(
      train(job({ batchSize: 12, maxSteps: 1 }, { model: short, examples: rows })),
    );
    const unlimited = await collect(
      train(job({ batchSize: 12, maxSteps: 1 }, { examples: rows, folder: join(folder, 'b') })),
    );
    expect(losses(events)).toEqual(losses(unlimited));
  });

  it('evaluates on schedule and at the end, and keeps the latest checkpoints and the best one resumable', async () => {
    const options = { maxSteps: 10, evalSteps: 2, saveSteps: 2, keepCheckpoints: 1, learningRate: 0.05 };
    const events = await collect(train(job(options, { evaluation: examples(5, 9) })));
    const evaluated = events.flatMap(event =>
      event.type === 'log' && event.evalLoss !== undefined ? [event] : [],
    );
    expect(evaluated.map(({ step }) => step)).toEqual([2, 4, 6, 8, 10]);
    const saved = evaluated.filter(({ step }) => step < 10);
    const best = saved.reduce((least, event) => (event.evalLoss! < least.evalLoss! ? event : least));
    const checkpoints = (await readdir(folder)).filter(name => name.startsWith('checkpoint-')).sort();
    expect(checkpoints).toEqual([2, 4, 6, 8].map(step => `checkpoint-${step}`));
    const states = await Promise.all(checkpoints.map(name => readdir(join(folder, name))));
    const whole = checkpoints.filter((_, i) => states[i]!.includes('optimizer.safetensors'));
    expect(whole).toEqual([...new Set([`checkpoint-${best.step}`, 'checkpoint-8'])].sort());
    for (const name of checkpoints) await readAdapter(join(folder, name));
    const last = events.at(-1)!;
    expect(last.type === 'completed' && last.metrics.evalLoss).toBe(evaluated.at(-1)!.evalLoss);
  });

  it('trains for the given epochs if no number of steps is set', async () => {
    const events = await collect(train(job({ maxSteps: null, epochs: 2, batchSize: 5 })));
    expect(events[0]).toMatchObject({ totalSteps: 6 });
    expect(events.at(-2)).toMatchObject({ step: 6, epoch: 2 });
  });

  it('fails without rows', async () => {
    await expect(collect(train(job({}, { examples: [] })))).rejects.toThrow('no rows');
  });
});
