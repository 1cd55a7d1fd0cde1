// Runs that learn a teacher's distribution from the rows of a data set: what is measured, that a stopped run resumes exactly, that rows
// made into tokens are the same, and which rows are refused.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openText } from '../../../lib/engine/text/index.js';
import { openCheck } from '../../../lib/engine/train/check/open-check.js';
import type { TrainOptions } from '../../../lib/engine/train/options.js';
import { writeTokens } from '../../../lib/engine/train/tokens.js';
import type { TrainEvent } from '../../../lib/engine/train/training-loop.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { tinyModel } from '../tiny-model.js';
import { temporaryFolder } from './data/dataset-files.js';
import {
  chat,
  isSaved,
  LARGE,
  logsOf,
  lossesOf,
  prepareAndRun,
  readFinal,
  SIZES,
  trainRequest,
  writeRows,
} from './support.js';

const modelFolder = await tinyModel();
const text = await openText(modelFolder);

/** A row whose teacher hesitates between its answer and others. */
function taught(question: string, answer: string) {
  const logprobs = text.encode(answer).map((id, i) => {
    const piece = text.decode([id]);
    const others = ['a', 'b', 'c'].filter(other => other !== piece).slice(0, i % 3);
    return [[piece, Math.log(0.6)], ...others.map((other, at) => [other, Math.log(0.2 / (at + 1))])];
  });
  return { ...chat(question, answer), logprobs };
}

const rows = Array.from({ length: 24 }, (_, i) => taught('say it', `it is ${i}`));
const quick = { loraR: 4, batchSize: 4, learningRate: 1e-2, threads: 1, maxSteps: 8, softWeight: 0.5 };

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const request = (
  name: string,
  options: Partial<TrainOptions> = {},
  of: readonly unknown[] = rows,
  share = 0.2,
) =>
  trainRequest(folder, name, of, {
    modelFolder,
    options: { ...quick, ...options },
    evaluationFraction: share,
  });

interface Measures {
  step: number;
  loss?: number | undefined;
  evalLoss?: number | undefined;
  softLoss?: number;
  evalSoftLoss?: number;
}

const measuresOf = (events: readonly TrainEvent[]) =>
  logsOf(events).map(({ step, loss, evalLoss, metrics }): Measures => ({ step, loss, evalLoss, ...metrics }));

describe('a run', () => {
  it('measures the distance from the teacher, which is a part of the loss, and shrinks it', async () => {
    const options = { maxSteps: 20, evalSteps: 10 };
    const events = await prepareAndRun(await request('soft', options));
    const soft = measuresOf(events);
    const hard = measuresOf(await prepareAndRun(await request('hard', { maxSteps: 1, softWeight: 0 })));
    expect(hard[0]).not.toHaveProperty('softLoss');
    // Both begin with the same adapter.
    const [first, last] = [soft[0]!, soft.at(-1)!];
    expect(first.loss! - 0.5 * first.softLoss!).toBeCloseTo(hard[0]!.loss!, 4);
    expect(first.softLoss).toBeGreaterThan(1);
    expect(last.softLoss).toBeLessThan(0.7 * first.softLoss!);
    const evaluated = soft.filter(({ evalLoss }) => evalLoss !== undefined);
    expect(evaluated.map(({ step }) => step)).toEqual([10, 20]);
    expect(evaluated[1]!.evalSoftLoss).toBeLessThan(evaluated[0]!.evalSoftLoss!);
    const { metrics } = events.at(-1) as { metrics: object };
    expect(metrics).toMatchObject({ softLoss: expect.any(Number), evalSoftLoss: expect.any(Number) });
  });

  it('does not say how far it is from a teacher who said nothing of the held-out rows', async () => {
    const path = join(folder, 'plain.jsonl');
    await writeRows(path, [chat('say it', 'it is it')]);
    const given = await request('held-out', { maxSteps: 1, evalSteps: 1 }, rows, 0);
    const events = await prepareAndRun({ ...given, evaluationSource: { type: 'file', path } });
    const [first] = measuresOf(events);
    expect(first!.evalLoss).toBeGreaterThan(0);
    expect(first!.softLoss).toBeGreaterThan(0);
    expect(first).not.toHaveProperty('evalSoftLoss');
  });

  it('has the same losses for batches of any size', async () => {
    const once = lossesOf(await prepareAndRun(await request('once', { maxSteps: 3 })));
    const split = { batchSize: 2, gradientAccumulationSteps: 2, maxSteps: 3 };
    expect(lossesOf(await prepareAndRun(await request('split', split)))).toEqual(once);
  });

  it.each(['f32', 'int8'] as const)(
    'resumes exactly after a stop: %s',
    {
      timeout: JOURNEY_TIMEOUT_MS,
    },
    async weights => {
      const options = { weights, maxSteps: 4, saveSteps: 2, evalSteps: 3, loraDropout: 0.1 };
      const whole = measuresOf(await prepareAndRun(await request('whole', options)));
      const stopped = measuresOf(await prepareAndRun(await request('stopped', options), {}, isSaved(2)));
      const resumed = measuresOf(await prepareAndRun(await request('stopped', options)));
      expect([...stopped, ...resumed]).toEqual(whole);
      expect(await readFinal(folder, 'stopped')).toEqual(await readFinal(folder, 'whole'));
    },
  );

  it.each(SIZES)('has the same losses if a %s data set was made into tokens', async (_, size) => {
    const read = measuresOf(await prepareAndRun(await request('home'), size));
    const target = join(folder, 'tokens');
    await mkdir(target);
    const tokens = await writeTokens({ ...(await request('scratch')), target }, size);
    const { source: _source, ...rest } = await request('there');
    expect(measuresOf(await prepareAndRun({ ...rest, tokens }))).toEqual(read);
  });

  it('learns rows without a distribution as they are', async () => {
    const mixed = rows.map(({ logprobs, ...row }, i) => (i % 2 ? { ...row, logprobs } : row));
    const [first] = measuresOf(
      await prepareAndRun(await request('mixed', { maxSteps: 1, batchSize: 24 }, mixed, 0)),
    );
    const [all] = measuresOf(
      await prepareAndRun(await request('all', { maxSteps: 1, batchSize: 24 }, rows, 0)),
    );
    expect(first!.softLoss! / all!.softLoss!).toBeGreaterThan(0.3);
    expect(first!.softLoss! / all!.softLoss!).toBeLessThan(0.7);
  });
});

function checkSoft(path: string, { soft }: { soft?: true } = { soft: true }) {
  const pace = { batchSize: 4, gradientAccumulationSteps: 1, numTrainEpochs: 3, maxSteps: null, seed: 42 };
  return openCheck({
    ...{ modelFolder, folder, cacheFolder: folder, source: { type: 'file', path }, ...pace, soft },
    ...{ trainOn: 'assistant', tooLong: 'truncate', maxLength: 128, effort: 'usual' },
  });
}

describe('rows', () => {
  const other = { ...taught('say it', 'it is'), logprobs: [[['i', -0.1]], [['x', -0.1]]] };
  const reason = 'token 2 of its answer is "x" for the teacher, and "t" for this model';

  it('are refused with the first token that differs, before training and in a check', async () => {
    const start = prepareAndRun(await request('refused', {}, [...rows, other]));
    await expect(start).rejects.toThrow(`row 25: ${reason}`);
    const path = join(folder, 'checked.jsonl');
    await writeRows(path, [...rows, other]);
    const checked = await checkSoft(path);
    expect(checked.report.findings).toContainEqual({ name: 'unreadable', grade: 'error', rows: 1 });
    expect(checked.report.named).toContainEqual({
      name: 'unreadable',
      rows: [expect.objectContaining({ number: 25 })],
      reason: expect.stringContaining(reason),
    });
    const all = { finding: 'unreadable', number: null, skip: 0, limit: 9, tokens: 9 } as const;
    expect(checked.list(all).rows).toMatchObject([{ number: 25, refusal: expect.stringContaining(reason) }]);
    checked.close();
    const hard = await checkSoft(path, {});
    expect(hard.report.findings.map(({ name }) => name)).not.toContain('unreadable');
    hard.close();
  });

  it('of which the teacher wrote a part in other tokens are learned up to there, and counted', async () => {
    const split = {
      ...chat('say it', 'the dog'),
      logprobs: Array.from('the dog', letter => [[letter, Math.log(0.5)]]),
    };
    expect(text.encode('the dog').length).toBeLessThan(7);
    const path = join(folder, 'split.jsonl');
    await writeRows(path, [...rows, split]);
    const checked = await checkSoft(path);
    expect(checked.report.findings).toContainEqual({ name: 'other_tokens', grade: 'warning', rows: 1 });
    checked.close();
    const events = await prepareAndRun(
      await request('split', { maxSteps: 1, batchSize: 25 }, [...rows, split], 0),
    );
    expect(measuresOf(events)[0]!.softLoss).toBeGreaterThan(1);
  });

  it.each([
    ['small', {}],
    ['large', LARGE],
  ])('of a %s data set are refused if none has a distribution', async (_, size) => {
    const plain = rows.map(({ logprobs, ...row }) => row);
    await expect(prepareAndRun(await request('plain', {}, plain), size)).rejects.toThrow(
      'No row has `logprobs`, the distribution of a teacher, which `softWeight` is for.',
    );
  });

  it('of a large data set are learned if only later ones have a distribution', async () => {
    const plain = rows.slice(0, 8).map(({ logprobs, ...row }) => row);
    const given = await request('mixed', { maxSteps: 8 }, [...plain, ...rows.slice(8)], 0);
    const measures = measuresOf(await prepareAndRun(given, LARGE));
    expect(measures.some(({ softLoss }) => softLoss! > 0)).toBe(true);
  });

  it('are an error of a check if none has a distribution', async () => {
    const plain = rows.map(({ logprobs, ...row }) => row);
    const path = join(folder, 'without.jsonl');
    const found = async (given: readonly object[], how?: Parameters<typeof checkSoft>[1]) => {
      await writeRows(path, given);
      const checked = await checkSoft(path, how);
      const [finding] = checked.report.findings.filter(({ name }) => name === 'no_logprobs');
      checked.close();
      return finding ?? null;
    };
    expect(await found(plain)).toEqual({ name: 'no_logprobs', grade: 'error', rows: rows.length });
    expect(await found(plain, {})).toBeNull();
    expect(await found([...plain, rows[0]!])).toBeNull();
  });
});
