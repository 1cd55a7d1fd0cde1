// Which rows of data each step takes: every epoch in an order of its own, that the seed alone decides.

import { createRandom, shuffled } from '../random.js';
import type { ExampleSet } from './example-set.js';
import type { Example } from './packing.js';

const ORDER = 1;

export interface StepPlan {
  rowsPerStep: number;
  stepsPerEpoch: number;
  totalSteps: number;
}

export interface PlanOptions {
  batchSize: number;
  accumulation: number;
  epochs: number;
  maxSteps: number | null;
}

export function planSteps(
  rows: number,
  { batchSize, accumulation, epochs, maxSteps }: PlanOptions,
): StepPlan {
  const rowsPerStep = batchSize * accumulation;
  const stepsPerEpoch = Math.max(1, Math.ceil(rows / rowsPerStep));
  // A number of epochs without end comes to a number all the same: it is written down.
  const wanted = maxSteps ?? Math.ceil(epochs * stepsPerEpoch);
  return { rowsPerStep, stepsPerEpoch, totalSteps: Math.min(wanted, Number.MAX_SAFE_INTEGER) };
}

/**
 * Gives the examples of a step, counted from 0. The last step of an epoch may have fewer, and so may one with rows that
 * are left out; one that had none takes the next row there is. The order of an epoch is drawn when its first step is
 * asked for.
 */
export function createStepExamples(
  examples: ExampleSet,
  { rowsPerStep, stepsPerEpoch }: StepPlan,
  seed: number,
): (step: number) => Example[] {
  let drawn: { epoch: number; order: Uint32Array } = { epoch: -1, order: new Uint32Array() };
  return step => {
    const epoch = Math.floor(step / stepsPerEpoch);
    if (epoch !== drawn.epoch) {
      drawn = { epoch, order: shuffled(examples.length, createRandom(seed, ORDER, epoch)) };
    }
    const from = (step % stepsPerEpoch) * rowsPerStep;
    const taken = Array.from(drawn.order.subarray(from, from + rowsPerStep), row => examples.at(row) ?? []);
    const found = taken.flat();
    return found.length > 0 ? found : [findNext(examples, drawn.order, from + rowsPerStep)];
  };
}

function findNext(examples: ExampleSet, order: Uint32Array, from: number): Example {
  for (let i = 0; i < order.length; i++) {
    const example = examples.at(order[(from + i) % order.length]!);
    if (example) return example;
  }
  throw new Error('None of the rows is short enough to train on. Raise maxLength, or shorten the rows.');
}
