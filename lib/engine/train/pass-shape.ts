// Chooses the one shape that all passes of a run have, because a graph is made for a shape: by packing some steps of
// the very rows, and taking what computes the fewest tokens.
import { countLabels, type Example, type PassShape, packExamples } from './packing.js';
import { createRandom } from './random.js';

const LINE_STEP = 32;
const LABEL_STEP = 32;
/** More tokens a pass than that gain no speed and cost memory. */
const TOKENS_A_PASS = 2048;
/** What starting a pass costs, in tokens. */
const PASS_COST = 256;
const SAMPLES = 32;
const SAMPLING = 0;

export function choosePassShape(examples: readonly Example[], rowsPerStep: number): PassShape {
  const longest = examples.reduce((most, { ids }) => Math.max(most, ids.length), 1);
  const sequence = roundUp(longest, LINE_STEP);
  const steps = sampleSteps(examples, rowsPerStep);
  const batch = chooseBatch(steps, sequence);
  return { batch, sequence, labels: chooseLabels(examples, steps, batch, sequence) };
}

/** Steps as a run would take them; each row is in some, where that can be. */
function sampleSteps(examples: readonly Example[], rowsPerStep: number): Example[][] {
  const random = createRandom(SAMPLING);
  const count = Math.min(rowsPerStep, examples.length);
  return Array.from({ length: SAMPLES }, () =>
    Array.from({ length: count }, () => examples[Math.floor(random.next() * examples.length)]!),
  );
}

/** The number of lines for which the steps cost least, and of those the largest. */
function chooseBatch(steps: readonly Example[][], sequence: number): number {
  const unlimited = { batch: 1, sequence, labels: Number.POSITIVE_INFINITY };
  const lines = steps.map(step => packExamples(step, unlimited).length);
  const most = Math.max(1, Math.min(Math.max(...lines), Math.floor(TOKENS_A_PASS / sequence)));
  let best = { batch: 1, cost: Number.POSITIVE_INFINITY };
  for (let batch = 1; batch <= most; batch++) {
    const cost = lines.reduce(
      (sum, count) => sum + Math.ceil(count / batch) * (batch * sequence + PASS_COST),
      0,
    );
    if (cost <= best.cost) best = { batch, cost };
  }
  return best.batch;
}

/** Room for the labels of each pass of the samples, and for any single row. */
function chooseLabels(
  examples: readonly Example[],
  steps: readonly Example[][],
  batch: number,
  sequence: number,
): number {
  const tokens = batch * sequence;
  const passes = steps.flatMap(step =>
    packExamples(step, { batch, sequence, labels: Number.POSITIVE_INFINITY }),
  );
  const needed = [...passes.map(lines => labelsOf(lines.flat())), ...examples.map(countLabels)];
  const most = needed.reduce((highest, count) => Math.max(highest, count), 1);
  return Math.min(tokens, roundUp(most, LABEL_STEP));
}

function labelsOf(examples: readonly Example[]): number {
  return examples.reduce((sum, example) => sum + countLabels(example), 0);
}

function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}
