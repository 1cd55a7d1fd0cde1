import { describe, expect, it } from 'vitest';
import { scheduleFactor } from '../../../lib/engine/train/schedule.js';
import { createStepExamples, planSteps } from '../../../lib/engine/train/steps.js';

describe('the learning rate', () => {
  const plan = { warmupSteps: 2, totalSteps: 6 };
  const all = (schedule: Parameters<typeof scheduleFactor>[1]['schedule']) =>
    Array.from({ length: 6 }, (_, step) => Number(scheduleFactor(step, { schedule, ...plan }).toFixed(4)));

  it('warms up and falls linearly', () => {
    expect(all('linear')).toEqual([0.3333, 0.6667, 1, 0.75, 0.5, 0.25]);
  });

  it('warms up and falls as a cosine', () => {
    expect(all('cosine')).toEqual([0.3333, 0.6667, 1, 0.8536, 0.5, 0.1464]);
  });

  it('stays constant, with or without warm-up', () => {
    expect(all('constant')).toEqual([1, 1, 1, 1, 1, 1]);
    expect(all('constant_with_warmup')).toEqual([0.3333, 0.6667, 1, 1, 1, 1]);
  });
});

describe('the rows of a step', () => {
  const examples = Array.from({ length: 7 }, (_, i) => ({ ids: [i, i], supervised: [false, true] }));
  const plan = planSteps(7, { batchSize: 2, accumulation: 1, epochs: 2, maxSteps: null });

  it('include each row once per epoch, in a different order each time', () => {
    expect(plan).toEqual({ rowsPerStep: 2, stepsPerEpoch: 4, totalSteps: 8 });
    const examplesOf = createStepExamples(examples, plan, 42);
    const epoch = (number: number) =>
      Array.from({ length: 4 }, (_, i) => examplesOf(number * 4 + i).map(({ ids }) => ids[0])).flat();
    expect(epoch(0).toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(epoch(1).toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(epoch(1)).not.toEqual(epoch(0));
  });

  it('are the same for the same seed', () => {
    expect(createStepExamples(examples, plan, 1)(2)).toEqual(createStepExamples(examples, plan, 1)(2));
  });
});
