import { describe, expect, it } from 'vitest';
import { planSteps } from '../../../lib/engine/train/steps.js';

const options = { batchSize: 4, accumulation: 2, epochs: 3, maxSteps: null };

describe('the plan of a run', () => {
  it('covers all rows in each epoch, with a last step that may be smaller', () => {
    expect(planSteps(20, options)).toEqual({ rowsPerStep: 8, stepsPerEpoch: 3, totalSteps: 9 });
    expect(planSteps(20, { ...options, epochs: 0.5 }).totalSteps).toBe(2);
    expect(planSteps(20, { ...options, maxSteps: 5 }).totalSteps).toBe(5);
  });

  it.each([1e300, Number.MAX_VALUE])('has a whole number of steps for any number of epochs: %d', epochs => {
    const { totalSteps } = planSteps(20, { ...options, epochs });
    expect(Number.isSafeInteger(totalSteps)).toBe(true);
  });
});
