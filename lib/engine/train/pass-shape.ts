// Chooses the one shape that all passes of a run have, because a graph is made for a shape: by packing some steps of
// the very rows into each shape that comes into question, and taking the one that costs least.

import { createRandom, shuffled } from '../random.js';
import { countLabels, type Example, type PassShape, packExamples } from './packing.js';

const LINE_STEP = 32;
const LABEL_STEP = 32;
/** More tokens a pass than that gain no speed and cost memory. */
const TOKENS_A_PASS = 2048;
/** Lines longer than the longest row leave less unused, but attention costs more the longer they are. */
const STRETCHES = [1, 1.5, 2, 3, 4];
/** The length of a line at which attention costs as much as all the rest. */
const ATTENTION_LENGTH = 2048;
/** What starting a pass costs, in tokens. */
const PASS_COST = 128;
const SAMPLES = 24;
const SAMPLING = 0;

export function choosePassShape(examples: readonly Example[], rowsPerStep: number): PassShape {
  const longest = examples.reduce((most, { ids }) => Math.max(most, ids.length), 1);
  const steps = sampleSteps(examples, rowsPerStep);
  const candidates = STRETCHES.map(stretch => roundUp(longest * stretch, LINE_STEP))
    .filter((sequence, i) => i === 0 || sequence <= TOKENS_A_PASS)
    .map(sequence => chooseBatch(steps, sequence));
  const { batch, sequence } = candidates.reduce((best, next) => (next.cost < best.cost ? next : best));
  return { batch, sequence, labels: chooseLabels(examples, steps, batch, sequence) };
}

/** Each time by so much more than needed: whoever grows has to build the graph anew. */
const GROWTH = 1.25;

/** The shape, or one in which these examples fit, too. No row is longer than `longestRow`. */
export function growShape(shape: PassShape, examples: Iterable<Example>, longestRow: number): PassShape {
  let longest = 0;
  let labels = 0;
  for (const example of examples) {
    longest = Math.max(longest, example.ids.length);
    labels = Math.max(labels, countLabels(example));
  }
  if (longest <= shape.sequence && labels <= shape.labels) return shape;
  const most = roundUp(longestRow, LINE_STEP);
  const sequence =
    longest <= shape.sequence
      ? shape.sequence
      : Math.min(most, roundUp(Math.max(longest, shape.sequence * GROWTH), LINE_STEP));
  const batch = Math.max(1, Math.min(shape.batch, Math.floor(TOKENS_A_PASS / sequence)));
  const needed = labels <= shape.labels ? shape.labels : Math.max(labels, shape.labels * GROWTH);
  return { batch, sequence, labels: Math.min(batch * sequence, roundUp(needed, LABEL_STEP)) };
}

/** Some steps as a run takes them: without a row twice. */
function sampleSteps(examples: readonly Example[], rowsPerStep: number): Example[][] {
  const perEpoch = Math.ceil(examples.length / rowsPerStep);
  return Array.from({ length: Math.min(SAMPLES, perEpoch) }, (_, i) => {
    const order = shuffled(examples.length, createRandom(SAMPLING, i));
    return Array.from(order.subarray(0, rowsPerStep), row => examples[row]!);
  });
}

/** The number of lines of this length for which the steps cost least, and of those the largest. */
function chooseBatch(steps: readonly Example[][], sequence: number) {
  const unlimited = { batch: 1, sequence, labels: Number.POSITIVE_INFINITY };
  const lines = steps.map(step => packExamples(step, unlimited).length);
  const most = Math.max(1, Math.min(Math.max(...lines), Math.floor(TOKENS_A_PASS / sequence)));
  let best = { batch: 1, sequence, cost: Number.POSITIVE_INFINITY };
  for (let batch = 1; batch <= most; batch++) {
    const passCost = batch * sequence * (1 + sequence / ATTENTION_LENGTH) + PASS_COST;
    const cost = lines.reduce((sum, count) => sum + Math.ceil(count / batch) * passCost, 0);
    if (cost <= best.cost) best = { batch, sequence, cost };
  }
  return best;
}

/** Room for the labels of each pass of the samples, and for any single row. */
function chooseLabels(
  examples: readonly Example[],
  steps: readonly Example[][],
  batch: number,
  sequence: number,
): number {
  const unlimited = { batch, sequence, labels: Number.POSITIVE_INFINITY };
  const passes = steps.flatMap(step => packExamples(step, unlimited));
  const needed = [...passes.map(lines => labelsOf(lines.flat())), ...examples.map(countLabels)];
  const most = needed.reduce((highest, count) => Math.max(highest, count), 1);
  return Math.min(batch * sequence, roundUp(most, LABEL_STEP));
}

function labelsOf(examples: readonly Example[]): number {
  return examples.reduce((sum, example) => sum + countLabels(example), 0);
}

function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}
