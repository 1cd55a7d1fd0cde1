// Real training on a tiny model: the events of a run, and that a stopped run resumes exactly.
import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { targetNames } from '../../../lib/engine/model/index.js';
import type { Progress } from '../../../lib/engine/train/checkpoint.js';
import { writeDigests } from '../../../lib/engine/train/digests.js';
import { type TrainOptions, toFingerprintOptions } from '../../../lib/engine/train/options.js';
import { OtherRunError } from '../../../lib/engine/train/start-run.js';
import { type TrainJob, train } from '../../../lib/engine/train/trainer.js';
import type { TrainEvent } from '../../../lib/engine/train/training-loop.js';
import { readAdapter } from '../../../lib/engine/weights/index.js';
import { GOLDEN_MODELS, openGoldenModel } from '../../support/golden-models.js';
import { collect, temporaryFolder } from './data/dataset-files.js';
import { examples, isSaved, logsOf, lossesOf, model, quickJob, readFinal, run } from './support.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const job = (options: Partial<TrainOptions> = {}, rest: Partial<TrainJob> = {}) =>
  quickJob(options, { folder, ...rest });
/** The losses of a run in a folder of its own. */
const lossesIn = async (name: string, options: Partial<TrainOptions> = {}, rest: Partial<TrainJob> = {}) =>
  lossesOf(await run(job(options, { ...rest, folder: join(folder, name) })));
const curveOf = (events: readonly TrainEvent[]) => logsOf(events).map(({ loss }) => loss!);
const tokensOf = (events: readonly TrainEvent[]) => logsOf(events).map(({ tokens }) => tokens);

describe('training', () => {
  it('reports its start, each step and its result', async () => {
    const events = await run(job());
    expect(events[0]).toMatchObject({ type: 'started', totalSteps: 8, resumedFromStep: null });
    expect(events.slice(1, -1)).toMatchObject(
      [1, 2, 3, 4, 5, 6, 7, 8].map(step => ({ type: 'log', step, loss: expect.any(Number) })),
    );
    expect(events.at(-1)).toMatchObject({ type: 'completed', step: 8, folder: join(folder, 'final') });
    const { config, tensors } = await readAdapter(join(folder, 'final'));
    expect(config).toMatchObject({ rank: 4, alpha: 8, baseModel: 'tiny' });
    expect(tensors).toHaveLength(2 * 7);
    expect(tensors.every(({ b }) => b.some(value => value !== 0))).toBe(true);
  });

  it('memorizes its rows', async () => {
    const options = { maxSteps: 60, learningRate: 2e-2, loraR: 16 };
    const curve = curveOf(await run(job(options, { examples: examples(4) })));
    expect(curve[0]).toBeGreaterThan(5);
    expect(curve.at(-1)).toBeLessThan(1.5);
  });

  it('moves no further with gradients than `maxGradNorm` lets it', async () => {
    const rows = examples(4);
    const curveAt = async (maxGradNorm: number) => {
      const events = await run(
        job({ maxGradNorm }, { examples: rows, folder: join(folder, `${maxGradNorm}`) }),
      );
      return curveOf(events);
    };
    const [free, higher, bound, still] = [
      await curveAt(1e30),
      await curveAt(1e20),
      await curveAt(0.1),
      await curveAt(1e-20),
    ];
    expect(higher).toEqual(free);
    expect(bound).not.toEqual(free);
    expect(bound.at(-1)).toBeLessThan(bound[0]!);
    expect(new Set(still).size).toBe(1);
  });

  it('gives the same losses for the same seed and different ones for another', async () => {
    const first = await lossesIn('a', { loraDropout: 0.1 });
    expect(await lossesIn('b', { loraDropout: 0.1 })).toEqual(first);
    expect(await lossesIn('c', { loraDropout: 0.1, seed: 7 })).not.toEqual(first);
  });

  it.each(GOLDEN_MODELS)('is the same again, to the bit: %s', async name => {
    const golden = await openGoldenModel(name);
    const options = { loraDropout: 0.1, maxSteps: 2, targetModules: targetNames(golden.config) };
    const train = async (which: string) => {
      const losses = lossesOf(await run(job(options, { folder: join(folder, which), model: golden })));
      return { losses, final: await readFinal(folder, which) };
    };
    const [first, second] = [await train('a'), await train('b')];
    expect(second.losses).toEqual(first.losses);
    expect(second.final.equals(first.final)).toBe(true);
  });

  it('keeps the rows in a line separate: the loss of a step is the mean over its labels, however they are packed', async () => {
    const rows = examples(6, 3);
    const lossOf = async (name: string, of: typeof rows) =>
      (await lossesIn(name, { batchSize: 6, maxSteps: 1 }, { examples: of }))[0]![1]!;
    let [sum, labels] = [0, 0];
    for (const [i, row] of rows.entries()) {
      const count = row.ids.length - 3;
      sum += (await lossOf(`${i}`, [row])) * count;
      labels += count;
    }
    expect(Math.abs((await lossOf('all', rows)) / (sum / labels) - 1)).toBeLessThan(1e-5);
  });

  it.each(['f32', 'int8'] as const)(
    'resumes after a stop with exactly the losses and tokens of an uninterrupted run: %s',
    async weights => {
      const lrSchedulerType = 'cosine' as const;
      const options = {
        maxSteps: 9,
        saveSteps: 2,
        loraDropout: 0.1,
        loggingSteps: 3,
        lrSchedulerType,
        weights,
      };
      const whole = await run(job(options, { folder: join(folder, 'whole') }));
      const stopped: TrainEvent[] = [];
      const aborter = new AbortController();
      const stopping = run(job(options, { signal: aborter.signal }), event => {
        stopped.push(event);
        if (isSaved(4)(event)) aborter.abort(new Error('killed'));
        return false;
      });
      await expect(stopping).rejects.toThrow('killed');
      const resumed = await run(job(options));
      expect(resumed[0]).toMatchObject({ type: 'started', resumedFromStep: 4 });
      expect([...lossesOf(stopped), ...lossesOf(resumed)]).toEqual(lossesOf(whole));
      expect(tokensOf([...stopped, ...resumed])).toEqual(tokensOf(whole));
      const adapters = await Promise.all(
        ['whole/final', 'final'].map(name => readAdapter(join(folder, name))),
      );
      const [a, b] = adapters.map(({ tensors }) => tensors.map(({ b: values }) => [...values]));
      expect(a).toEqual(b);
    },
  );

  it('saves nothing once a newer attempt at the run has started', async () => {
    const attempt = (number: number) => job({ saveSteps: 2 }, { attempt: number });
    await writeFile(join(folder, 'attempt'), '1\n');
    await run(attempt(1), isSaved(2));
    const orphan = train(attempt(1));
    await orphan.next();
    await writeFile(join(folder, 'attempt'), '2\n');
    await expect(collect(orphan)).rejects.toThrow('superseded');
    expect((await readdir(folder)).sort()).toEqual(['attempt', 'checkpoint-2', 'row-losses.bin']);
    expect((await run(attempt(2)))[0]).toMatchObject({ resumedFromStep: 2 });
    expect(await readdir(folder)).not.toContain('checkpoint-4.partial');
  });

  it('keeps the weight precision that it started with when it resumes', async () => {
    const options = { maxSteps: 6, saveSteps: 3, weights: 'int8' } as const;
    const exact = { ...options, weights: 'f32' } as const;
    const whole = await lossesIn('whole', options);
    await run(job(options), isSaved(3));
    const resumed = await run(job(exact));
    expect(resumed[0]).toMatchObject({ type: 'started', resumedFromStep: 3 });
    expect(lossesOf(resumed)).toEqual(whole.slice(3));
    expect(await lossesIn('exact', exact)).not.toEqual(whole);
  });

  it('goes on with int8 where PyTorch has begun, which saves the fingerprint of f32', async () => {
    const options = { maxSteps: 6, saveSteps: 3, weights: 'int8' } as const;
    const stateOf = (name: string) => join(folder, name, 'checkpoint-3', 'trainer_state.json');
    const read = async (name: string) => JSON.parse(await readFile(stateOf(name), 'utf8')) as Progress;
    await run(job(options), isSaved(3));
    await run(job({ ...options, weights: 'f32' }, { folder: join(folder, 'exact') }), isSaved(3));
    const [begun, { fingerprint }] = [await read('.'), await read('exact')];
    expect(begun.fingerprint).not.toBe(fingerprint);
    await writeFile(stateOf('.'), JSON.stringify({ ...begun, fingerprint }));
    await writeDigests(dirname(stateOf('.')));
    expect((await run(job(options)))[0]).toMatchObject({ resumedFromStep: 3, weights: 'int8' });
  });

  it('says why it cannot go on with what PyTorch has begun in nf4', async () => {
    const options = { maxSteps: 6, saveSteps: 3, weights: 'f32' } as const;
    await run(job(options), isSaved(3));
    const state = join(folder, 'checkpoint-3', 'trainer_state.json');
    const begun = JSON.parse(await readFile(state, 'utf8')) as Progress;
    await writeFile(state, JSON.stringify({ ...begun, weights: 'nf4' }));
    await writeDigests(dirname(state));
    await expect(run(job(options))).rejects.toThrow('in nf4, which only PyTorch has');
  });

  it('does not mistake other data of the same lengths, or other settings, for the same run', async () => {
    const rows = examples(6);
    const others = rows.map(({ ids, supervised }) => ({
      ids: Int32Array.from(ids, (id, i) => (i === 1 ? (id + 1) % 320 : id)),
      supervised,
    }));
    const begin = (changes: Partial<TrainOptions>, of = rows) =>
      run(job({ saveSteps: 4, ...changes }, { examples: of }));
    await begin({});
    await expect(begin({}, others)).rejects.toThrow(OtherRunError);
    await expect(begin({ loraR: 2 })).rejects.toThrow(OtherRunError);
    await expect(begin({ learningRate: 1e-3 })).rejects.toThrow(OtherRunError);
  });

  it('knows a run again that was begun before svc had an option, at its default', () => {
    const before = toFingerprintOptions({ loraR: 2, learningRate: 1e-3 });
    const after = { learningRate: 1e-3, weightDecay: 0, evalSteps: null, loraR: 2 };
    expect(toFingerprintOptions(after)).toEqual(before);
    expect(toFingerprintOptions({ ...after, weightDecay: 0.1 })).not.toEqual(before);
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
    const whole = await run(job(options));
    await rm(join(folder, 'final'), { recursive: true });
    await damage(join(folder, 'checkpoint-6', file));
    const resumed = await run(job(options));
    expect(resumed[0]).toMatchObject({ resumedFromStep: 3, damagedCheckpoints: [6] });
    expect(lossesOf(resumed)).toEqual(lossesOf(whole).slice(3));
  });

  it('starts over if every checkpoint is damaged', async () => {
    const options = { maxSteps: 9, saveSteps: 3 };
    const whole = await run(job(options));
    for (const step of [3, 6])
      await truncate(join(folder, `checkpoint-${step}`, 'optimizer.safetensors'), 100);
    const again = await run(job(options));
    expect(again[0]).toMatchObject({ resumedFromStep: null, damagedCheckpoints: [6, 3] });
    expect(lossesOf(again)).toEqual(lossesOf(whole));
  });

  it('trains on rows that are longer than those it has read at first, and resumes among them', async () => {
    const sample = examples(24);
    const ids = Int32Array.from({ length: 90 }, (_, i) => i);
    const reader = { digest: 'rows', isComplete: true, advance: async () => {}, takeProgress: () => null };
    const ofSample: Partial<TrainJob> = {
      examples: [...sample, { ids, supervised: Array.from(ids, (_, i) => i >= 3) }],
      reader: { ...reader, sample },
    };
    // Which numbers are dropped depends on the pass.
    const options = { maxSteps: 12, saveSteps: 6, loraDropout: 0.2 };
    const whole = await lossesIn('whole', options, ofSample);
    await run(job(options, ofSample), isSaved(6));
    expect(lossesOf(await run(job(options, ofSample)))).toEqual(whole.slice(6));
  });

  it('shrinks steps with skipped rows, and fails if every row is skipped, or without rows', async () => {
    const rows = examples(12);
    const gaps = { length: 12, at: (index: number) => (index % 4 === 0 ? rows[index]! : null) };
    const curve = curveOf(await run(job({ batchSize: 1, maxSteps: 12 }, { examples: gaps })));
    expect(curve).toHaveLength(12);
    expect(curve.every(Number.isFinite)).toBe(true);
    const none = run(job({}, { examples: { length: 3, at: () => null }, folder: join(folder, 'none') }));
    await expect(none).rejects.toThrow('All rows are too long');
    await expect(run(job({}, { examples: [] }))).rejects.toThrow('no rows');
  });

  it('packs rows into lines that are longer than the model’s context', async () => {
    const short = { ...model, config: { ...model.config, maxPositions: 32 } };
    const options = { batchSize: 12, maxSteps: 1 };
    const whole = { examples: Array.from({ length: 12 }, (_, i) => examples(1, i)[0]!) };
    expect(await lossesIn('a', options, { ...whole, model: short })).toEqual(
      await lossesIn('b', options, whole),
    );
  });

  it('evaluates on schedule and at the end, and keeps the latest checkpoints and the best one resumable', async () => {
    const options = { maxSteps: 10, evalSteps: 2, saveSteps: 2, keepCheckpoints: 1, learningRate: 0.05 };
    const events = await run(job(options, { evaluation: examples(5, 9) }));
    const evaluated = logsOf(events).filter(({ evalLoss }) => evalLoss !== undefined);
    expect(evaluated.map(({ step }) => step)).toEqual([2, 4, 6, 8, 10]);
    const saved = evaluated.filter(({ step }) => step < 10);
    const best = saved.reduce((least, event) => (event.evalLoss! < least.evalLoss! ? event : least));
    const checkpoints = (await readdir(folder)).filter(name => name.startsWith('checkpoint-')).sort();
    expect(checkpoints).toEqual([2, 4, 6, 8].map(step => `checkpoint-${step}`));
    const states = await Promise.all(checkpoints.map(name => readdir(join(folder, name))));
    const whole = checkpoints.filter((_, i) => states[i]!.includes('optimizer.safetensors'));
    expect(whole).toEqual([...new Set([`checkpoint-${best.step}`, 'checkpoint-8'])].sort());
    for (const name of checkpoints) await readAdapter(join(folder, name));
    expect(events.at(-1)).toMatchObject({ metrics: { evalLoss: evaluated.at(-1)!.evalLoss } });
  });

  it('trains for the given epochs if no number of steps is set', async () => {
    const events = await run(job({ maxSteps: null, numTrainEpochs: 2, batchSize: 5 }));
    expect(events[0]).toMatchObject({ totalSteps: 6 });
    expect(events.at(-2)).toMatchObject({ step: 6, epoch: 2 });
  });
});
