import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../lib/engine/random.js';
import { lossPassTokens, passTokens } from '../../../lib/engine/train/pass-size.js';
import { writeKeepMask } from '../../../lib/engine/train/step-runner.js';
import { createStepExamples, planSteps } from '../../../lib/engine/train/steps.js';
import { scheduleFactor } from '../../../lib/engine/train/take-step.js';

it.each([
  ['linear', [0.3333, 0.6667, 1, 0.75, 0.5, 0.25]],
  ['cosine', [0.3333, 0.6667, 1, 0.8536, 0.5, 0.1464]],
  ['constant', [1, 1, 1, 1, 1, 1]],
  ['constant_with_warmup', [0.3333, 0.6667, 1, 1, 1, 1]],
] as const)('the learning rate of a %s schedule warms up and falls as it should', (schedule, factors) => {
  const plan = { lrSchedulerType: schedule, warmupSteps: 2, totalSteps: 6 };
  expect(factors.map((_, step) => Number(scheduleFactor(step, plan).toFixed(4)))).toEqual(factors);
});

describe('the plan of a run', () => {
  const options = { batchSize: 4, gradientAccumulationSteps: 2, numTrainEpochs: 3, maxSteps: null };

  it('covers all rows in each epoch, with a last step that may be smaller', () => {
    expect(planSteps(20, options)).toEqual({ rowsPerStep: 8, stepsPerEpoch: 3, totalSteps: 9 });
    expect(planSteps(20, { ...options, numTrainEpochs: 0.5 }).totalSteps).toBe(2);
    expect(planSteps(20, { ...options, maxSteps: 5 }).totalSteps).toBe(5);
  });

  it('has a whole number of steps for any number of epochs', () => {
    for (const numTrainEpochs of [1e300, Number.MAX_VALUE])
      expect(planSteps(20, { ...options, numTrainEpochs }).totalSteps).toBe(Number.MAX_SAFE_INTEGER);
  });
});

it('the rows of a step include each row once per epoch, in an order of the epoch and the seed', () => {
  const examples = Array.from({ length: 7 }, (_, i) => ({ ids: [i, i], supervised: [false, true] }));
  const plan = planSteps(7, {
    batchSize: 2,
    gradientAccumulationSteps: 1,
    numTrainEpochs: 2,
    maxSteps: null,
  });
  const epoch = (number: number, seed = 42) => {
    const examplesOf = createStepExamples(examples, plan, seed);
    return [0, 1, 2, 3].flatMap(i => examplesOf(number * 4 + i).map(({ ids }) => ids[0]));
  };
  for (const number of [0, 1]) expect(epoch(number).toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(epoch(0)).toEqual(epoch(0));
  expect(epoch(1)).not.toEqual(epoch(0));
  expect(epoch(0, 7)).not.toEqual(epoch(0));
});

const SIZE = 400_000;
const maskOf = (rate: number, seed = 1, size = SIZE) =>
  writeKeepMask(new Uint8Array(size).fill(7), rate, createRandom(seed));

describe.each([0.001, 0.05, 0.1, 0.5, 0.95])('dropout at a rate of %d', rate => {
  const mask = maskOf(rate);
  /** Four standard deviations of the share. */
  const tolerance = (of: number) => 4 * Math.sqrt((rate * (1 - rate)) / of);

  it('has zeros at that rate, after zeros as often as after ones', () => {
    const [after0, after1] = [[0, 0], [0, 0]] as [number[], number[]]; // biome-ignore format: a table
    for (let i = 1; i < SIZE; i++) (mask[i - 1] === 0 ? after0 : after1)[mask[i]!]!++;
    expect(new Set(mask)).toEqual(new Set([0, 1]));
    for (const [zeros, ones] of [after0, after1] as [number, number][])
      expect(Math.abs(zeros / (zeros + ones) - rate)).toBeLessThan(tolerance(zeros + ones));
  });

  it('is equally likely to be zero in the first and the last position', () => {
    const tries = 20_000;
    const masks = Array.from({ length: tries }, (_, seed) => maskOf(rate, seed, 3));
    for (const position of [0, 1, 2]) {
      const zeros = masks.filter(one => one[position] === 0).length;
      expect(Math.abs(zeros / tries - rate), `position ${position}`).toBeLessThan(tolerance(tries));
    }
  });
});

it('dropout is the same for the same purpose and different for another', () => {
  expect(maskOf(0.1, 5, 1000)).toEqual(maskOf(0.1, 5, 1000));
  expect(maskOf(0.1, 5, 1000)).not.toEqual(maskOf(0.1, 6, 1000));
});

it.each([
  [
    'SmolLM2-135M',
    { layers: 30, hidden: 576, intermediate: 1536, vocabulary: 49_152, mixers: [] },
    258,
    2048,
  ],
  [
    'Gemma 3 270M',
    { layers: 18, hidden: 640, intermediate: 2048, vocabulary: 262_144, mixers: [] },
    350,
    512,
  ],
  [
    'two layers of 64',
    { layers: 2, hidden: 64, intermediate: 128, vocabulary: 262_144, mixers: [] },
    512,
    512,
  ],
])('passes of %s have room for activations and logits', (_, shape, training, evaluation) => {
  expect(passTokens(shape)).toBe(training);
  expect(lossPassTokens(shape)).toBe(evaluation);
});
