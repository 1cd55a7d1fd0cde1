// Which rows each step trains on: every epoch in a different order, which depends only on the seed.
import { createRandom, PURPOSE, shuffled } from '../random.js';
import { TextError } from '../text/errors.js';
import type { TrainOptions } from './options.js';
import type { Example, ExampleSet } from './packing.js';

export interface StepPlan {
  rowsPerStep: number;
  stepsPerEpoch: number;
  totalSteps: number;
}

export type PlanOptions = Pick<
  TrainOptions,
  'batchSize' | 'gradientAccumulationSteps' | 'numTrainEpochs' | 'maxSteps'
>;

export function planSteps(
  rows: number,
  { batchSize, gradientAccumulationSteps, numTrainEpochs, maxSteps }: PlanOptions,
): StepPlan {
  const rowsPerStep = batchSize * gradientAccumulationSteps;
  const stepsPerEpoch = Math.max(1, Math.ceil(rows / rowsPerStep));
  // However many the epochs, the total must survive JSON.
  const wanted = maxSteps ?? Math.ceil(numTrainEpochs * stepsPerEpoch);
  return { rowsPerStep, stepsPerEpoch, totalSteps: Math.min(wanted, Number.MAX_SAFE_INTEGER) };
}

/**
 * Gives the examples of a step, counted from 0. Skipped rows and the end of an epoch can leave a step with fewer rows; a
 * step without any takes the next row that is not skipped.
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
      drawn = { epoch, order: shuffled(examples.length, createRandom(seed, PURPOSE.order, epoch)) };
    }
    const from = (step % stepsPerEpoch) * rowsPerStep;
    const found = readExamples(examples, drawn.order.subarray(from, from + rowsPerStep));
    return found.length > 0 ? found : [findNext(examples, drawn.order, from + rowsPerStep)];
  };
}

interface FirstSteps {
  /** The step of the first epoch that takes the row, by its place in the data set. */
  stepOf(row: number): number;
  /** The rows that this step takes. */
  examplesOf(step: number): Example[];
}

/** Groups rows the same way whenever it is asked: by the steps of the first epoch. */
export function createFirstSteps(
  examples: ExampleSet,
  { rowsPerStep }: Pick<StepPlan, 'rowsPerStep'>,
  seed: number,
): FirstSteps {
  const order = shuffled(examples.length, createRandom(seed, PURPOSE.order, 0));
  const rows = Array.from(order, index => examples.rowOf?.(index) ?? index);
  const steps = new Uint32Array(rows.reduce((most, row) => Math.max(most, row + 1), 0));
  for (const [at, row] of rows.entries()) steps[row] = Math.floor(at / rowsPerStep);
  return {
    stepOf: row => steps[row]!,
    examplesOf: step => readExamples(examples, order.subarray(step * rowsPerStep, (step + 1) * rowsPerStep)),
  };
}

function findNext(examples: ExampleSet, order: Uint32Array, from: number): Example {
  for (let i = 0; i < order.length; i++) {
    const example = readExample(examples, order[(from + i) % order.length]!);
    if (example) return example;
  }
  throw new NoRowsLeftError();
}

export class NoRowsLeftError extends TextError {
  constructor() {
    super('All rows are too long to train on. Raise maxLength or shorten the rows.');
  }
}

/** Without skipped rows. */
function readExamples(examples: ExampleSet, indices: Uint32Array): Example[] {
  return Array.from(indices, index => readExample(examples, index) ?? []).flat();
}

function readExample(examples: ExampleSet, index: number): Example | null {
  const example = examples.at(index);
  return example ? { ...example, row: examples.rowOf?.(index) ?? index } : null;
}
