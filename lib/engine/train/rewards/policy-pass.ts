// Sampled answers as passes through the graph: the loss is that of TRL's GRPO with the loss type `dapo`, where every token of
// a step counts the same.
import type { PolicyShape } from '../../model/index.js';
import { countLabels, type Example, type Pass, toPass } from '../packing.js';

type Lines = readonly (readonly Example[])[];

/** A prompt with an answer, whose tokens are its labels. */
export interface Answer extends Example {
  advantage: number;
  /** log p of each label in the reference; null if the loss does not need it. */
  reference: Float32Array | null;
  /** log p of each label before the step's first update; null until then. */
  before: Float32Array | null;
}

/** `labels`: how many the step has. */
export function toPolicyPass(lines: Lines, labels: number): Pass {
  const pass = toPass(lines, 0);
  const zeros = () => new Float32Array(pass.labels.length);
  const answers = {
    advantages: zeros(),
    before: zeros(),
    known: zeros(),
    reference: zeros(),
    weights: zeros(),
  };
  let from = 0;
  for (const answer of lines.flat() as Answer[]) {
    const to = from + countLabels(answer);
    answers.advantages.fill(answer.advantage, from, to);
    answers.weights.fill(1 / labels, from, to);
    if (answer.reference) answers.reference.set(answer.reference, from);
    if (answer.before) {
      answers.before.set(answer.before, from);
      answers.known.fill(1, from, to);
    }
    from = to;
  }
  return { ...pass, answers };
}

/** log p of the labels of each text of a pass, from the losses of its labels. */
export function logProbabilities(lines: Lines, labelLosses: Float32Array): [Example, Float32Array][] {
  let at = 0;
  return lines.flat().map(text => {
    const from = at;
    at += countLabels(text);
    return [text, labelLosses.slice(from, at).map(loss => -loss)];
  });
}

/** How far labels are from the reference, summed: e^d - d - 1, with d = log p of the reference - log p. */
export function divergenceOf(labels: Float32Array, reference: Float32Array): number {
  return labels.reduce((sum, label, i) => {
    const apart = reference[i]! - label;
    return sum + Math.exp(apart) - apart - 1;
  }, 0);
}

/** How many labels have moved so far from what they were at first that the reward no longer moves them. */
export function countClipped(
  labels: Float32Array,
  { advantage, before }: Answer,
  { epsilon }: Pick<PolicyShape, 'epsilon'>,
): number {
  if (!before || advantage === 0) return 0;
  return labels.reduce((count, label, i) => {
    const ratio = Math.exp(label - before[i]!);
    return count + Number(advantage > 0 ? ratio > 1 + epsilon : ratio < 1 - epsilon);
  }, 0);
}

/** Without the divergence from the reference, answers that are as good as the others of their group teach nothing. */
export function teaches({ advantage }: Answer, { beta }: PolicyShape): boolean {
  return beta > 0 || advantage !== 0;
}
