// Chooses the shape of a run's passes, since a graph is built for one fixed shape: packs sample steps into each candidate
// shape and takes the cheapest.
import { createRandom, shuffled } from '../random.js';
import { countLabels, type Example, type PassShape, packExamples } from './packing.js';

const LINE_STEP = 32;
const LABEL_STEP = 32;
/** Larger passes cost memory without gaining speed. */
const TOKENS_PER_PASS = 2048;
/** Lines longer than the longest row waste fewer tokens, but make attention more expensive. */
const STRETCHES = [1, 1.5, 2, 3, 4];
/** The line length at which attention costs as much as everything else. */
const ATTENTION_LENGTH = 2048;
/** The cost of starting a pass, in tokens. */
const PASS_COST = 128;
const SAMPLES = 24;
const SAMPLING = 0;

export function choosePassShape(examples: readonly Example[], rowsPerStep: number): PassShape {
  const longest = examples.reduce((most, { ids }) => Math.max(most, ids.length), 1);
  const steps = sampleSteps(examples, rowsPerStep);
  const candidates = STRETCHES.map(stretch => roundUp(longest * stretch, LINE_STEP))
    .filter((sequence, i) => i === 0 || sequence <= TOKENS_PER_PASS)
    .map(sequence => chooseBatch(steps, sequence));
  const { batch, sequence } = candidates.reduce((best, next) => (next.cost < best.cost ? next : best));
  return { batch, sequence, labels: chooseLabels(examples, steps, batch, sequence) };
}

/** Grows by more than needed, since every growth rebuilds the graph. */
const GROWTH = 1.25;

/** The shape if the examples fit, otherwise a larger one. No row is longer than `longestRow`. */
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
  const batch = Math.max(1, Math.min(shape.batch, Math.floor(TOKENS_PER_PASS / sequence)));
  const needed = labels <= shape.labels ? shape.labels : Math.max(labels, shape.labels * GROWTH);
  return { batch, sequence, labels: Math.min(batch * sequence, roundUp(needed, LABEL_STEP)) };
}

/** Sample steps, each without repeated rows, as in a real run. */
function sampleSteps(examples: readonly Example[], rowsPerStep: number): Example[][] {
  const perEpoch = Math.ceil(examples.length / rowsPerStep);
  return Array.from({ length: Math.min(SAMPLES, perEpoch) }, (_, i) => {
    const order = shuffled(examples.length, createRandom(SAMPLING, i));
    return Array.from(order.subarray(0, rowsPerStep), row => examples[row]!);
  });
}

/** The cheapest number of lines of this length; the largest one among equals. */
function chooseBatch(steps: readonly Example[][], sequence: number) {
  const unlimited = { batch: 1, sequence, labels: Number.POSITIVE_INFINITY };
  const lines = steps.map(step => packExamples(step, unlimited).length);
  const most = Math.max(1, Math.min(Math.max(...lines), Math.floor(TOKENS_PER_PASS / sequence)));
  let best = { batch: 1, sequence, cost: Number.POSITIVE_INFINITY };
  for (let batch = 1; batch <= most; batch++) {
    const passCost = batch * sequence * (1 + sequence / ATTENTION_LENGTH) + PASS_COST;
    const cost = lines.reduce((sum, count) => sum + Math.ceil(count / batch) * passCost, 0);
    if (cost <= best.cost) best = { batch, sequence, cost };
  }
  return best;
}

/** Enough for every sampled pass and for every single row. */
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
